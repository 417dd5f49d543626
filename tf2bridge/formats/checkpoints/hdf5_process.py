"""The process in which the HDF5 library reads files, as its owner sees it: a request, then an answer or an error.

Starting it takes a third of a second. One that is no longer needed waits for the next file.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tf2bridge.formats.checkpoints import hdf5_child
from tf2bridge.systems.limits import CAN_LIMIT

_ROOT = Path(__file__).parents[3]
_QUICK = ("-I", "-S")
"""How Python starts: it takes its modules from where those of this process come from, and looks for no others."""
_WAIT = 300.0 if CAN_LIMIT else 4.0 * hdf5_child.SECONDS
"""Seconds after which a process is given up that neither answers nor uses the processor; on Windows, that does not
answer, as a process cannot limit its own time there."""
_idle: list[Hdf5Process] = []
_ENDED = (
    f"the HDF5 library ended on it, or took more than {hdf5_child.SECONDS} seconds or "
    f"{hdf5_child.MEMORY >> 20:,} MiB of memory"
)


class Hdf5Error(Exception):
    """The library refused a file, or its process ended on it; the text says why."""


class Hdf5Process:
    """A running process. Raises Hdf5Error if the process ends."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._asking = threading.Lock()
        self._ready = False
        paths = [path for path in sys.path if path and isinstance(path, str)]
        command = [sys.executable, *_QUICK, hdf5_child.__file__, str(_ROOT), *paths]
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    def ask(self, do: str, **request: Any) -> Any:
        """Returns the answer: bytes of values, or what JSON says. Raises Hdf5Error."""
        assert self._child.stdin is not None
        with self._asking:
            if not self._ready:  # it starts while its owner goes on
                self._ready = bool(self._answer())
            try:
                self._child.stdin.write(json.dumps({"do": do, **request}).encode() + b"\n")
                self._child.stdin.flush()
            except OSError:
                raise Hdf5Error(_ENDED) from None
            answer = self._answer()
        if isinstance(answer, dict) and "error" in answer:
            raise Hdf5Error(answer["error"])
        return answer

    def leave(self) -> None:
        """Closes the file; the process waits for another one, unless it has ended."""
        if self.owner != os.getpid():
            return  # a fork of its owner, which goes on using it
        try:
            self.ask("close")
            _idle.append(self)
        except Hdf5Error:
            self.end()

    def end(self) -> None:
        """Ends the process."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was not written before it ended
                    pipe.close()

    def _answer(self) -> Any:
        assert self._child.stdout is not None
        timer = threading.Timer(_WAIT, self._child.kill)
        timer.daemon = True
        timer.start()
        try:
            length = int.from_bytes(self._child.stdout.read(8), "little")
            content = self._child.stdout.read(length)
        finally:
            timer.cancel()
        if not length or len(content) < length:
            raise Hdf5Error(_ENDED)
        return memoryview(content)[1:] if content[:1] == hdf5_child.VALUES else json.loads(content[1:])


def waiting() -> Hdf5Process:
    """Returns a process without an open file. Raises Hdf5Error if none can be started."""
    while _idle:
        process = _idle.pop()
        if process.owner == os.getpid():
            return process
    return Hdf5Process()


@atexit.register
def _end_idle() -> None:
    while _idle:
        process = _idle.pop()
        if process.owner == os.getpid():
            process.end()
