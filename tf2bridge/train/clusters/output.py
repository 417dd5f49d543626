"""Prints the output of the tasks: whole lines, each after the name of its task."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

_LONGEST = 1 << 20
"""Bytes. Longer text without a line break is printed in pieces of this length, so that memory stays bounded."""

Listener = Callable[[str, bytes], None]
"""A function that gets the name of a task and each of its lines, before the line is printed."""


class Lines:
    """Prints the lines of several tasks without mixing them.

    What tasks write to standard output goes to `out`; what they write to standard error goes to `err`.
    """

    def __init__(self, width: int, out: BinaryIO | None = None, err: BinaryIO | None = None) -> None:
        self._width = width
        self._streams = {False: out or sys.stdout.buffer, True: err or sys.stderr.buffer}
        self._lock = threading.Lock()

    def copy(self, name: str, descriptor: int, is_error: bool, listener: Listener | None = None) -> None:
        """Prints what the task called `name` writes to `descriptor`, until it is closed.

        Of text that the task overwrote with carriage returns, only the last version is printed, as a terminal shows it.

        Raises:
            OSError: The lines cannot be written; for example, nobody reads them any longer.
        """
        rest = b""
        while chunk := os.read(descriptor, 1 << 16):
            *complete, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n")
            if len(rest) > _LONGEST:
                complete, rest = [*complete, rest], b""
            elif b"\r" in rest[:-1]:
                rest = rest[rest.rindex(b"\r", 0, -1) + 1 :]
            for line in complete:
                self._print(name, line, is_error, listener)
        if rest:
            self._print(name, rest, is_error, listener)

    def note(self, text: str) -> None:
        """Prints a line of the launcher itself, on standard error."""
        with self._lock:
            self._streams[True].write(f"tf2bridge: {text}\n".encode())
            self._streams[True].flush()

    def _print(self, name: str, line: bytes, is_error: bool, listener: Listener | None) -> None:
        shown = line.rstrip(b"\r").rpartition(b"\r")[2]
        if listener is not None:
            listener(name, shown)
        stream = self._streams[is_error]
        with self._lock:
            stream.write(f"{name:{self._width}} | ".encode() + shown + b"\n")
            stream.flush()
