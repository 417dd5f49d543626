"""What the tasks print: whole lines, each with the task's name before it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

_LONGEST = 1 << 20
"""Bytes; text without a line break is printed in pieces of this length, and not kept without end."""

Listener = Callable[[str, bytes], None]
"""Told of each line, with the name of the task, before it is printed."""


class Lines:
    """Prints lines of several tasks, none torn: what they wrote to standard output there, errors to standard error."""

    def __init__(self, width: int, out: BinaryIO | None = None, err: BinaryIO | None = None) -> None:
        self._width = width
        self._streams = {False: out or sys.stdout.buffer, True: err or sys.stderr.buffer}
        self._lock = threading.Lock()

    def copy(self, name: str, descriptor: int, is_error: bool, listener: Listener | None = None) -> None:
        """Copies what comes from `descriptor` until it is closed, as the task called `name`.

        Of text that the task wrote over with carriage returns, the last is printed, as it stays in a terminal. Raises
        OSError when the lines cannot be written, as when nobody reads them any longer.
        """
        rest = b""
        while chunk := os.read(descriptor, 1 << 16):
            *whole, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n")
            if len(rest) > _LONGEST:
                whole, rest = [*whole, rest], b""
            elif b"\r" in rest[:-1]:
                rest = rest[rest.rindex(b"\r", 0, -1) + 1 :]
            for line in whole:
                self._print(name, line, is_error, listener)
        if rest:
            self._print(name, rest, is_error, listener)

    def note(self, text: str) -> None:
        """Prints a line of the launcher's own, as an error of nobody."""
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
