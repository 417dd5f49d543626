"""A worker in a fork of the warm process, and the connection with it."""

from __future__ import annotations

import contextlib
import os
import socket
import traceback
from collections.abc import Sequence

from tf2bridge.fleet import child, store
from tf2bridge.fleet.tasks import Setup, task_of
from tf2bridge.systems import forks

_PIECE = 1 << 16
_TAIL = 1 << 13
"""Bytes of a worker's standard error that are kept."""
_LINES = 12


class Forked:
    """A worker in a fork of this process. It does not get the descriptors of `keep_out`.

    Attributes:
        line: the connection with it.
        errors: the end of the pipe with its standard output and error.
        turn: the end of a pipe that has a byte for each time when the worker has done all that it was given.
    """

    def __init__(
        self, setup: Setup, shop: store.Workshop, perform: child.Perform, keep_out: Sequence[int] = ()
    ) -> None:
        self.line, theirs = socket.socketpair()
        self.errors, writer = forks.pipe()
        self.turn, over = forks.pipe()
        self._tail = b""
        parent = os.getpid()
        self._id = forks.fork()
        if not self._id:
            status = 1
            try:
                self.line.close()
                for descriptor in (self.errors, self.turn, *keep_out):
                    os.close(descriptor)
                forks.become_member(parent, writer)
                _serve(theirs, over, child.Worker(setup, shop, perform))
                status = 0
            except BaseException:
                os.write(2, traceback.format_exc().encode())  # the keeper reports its last lines
            finally:
                os._exit(status)
        theirs.close()
        os.close(writer)
        os.close(over)

    def give(self, tasks: Sequence[bytes]) -> None:
        """Gives tasks to the worker, which has none left."""
        with contextlib.suppress(OSError):  # it has ended: the next look at it says so
            self.line.sendall(b"%d\n" % len(tasks) + b"".join(task + b"\n" for task in tasks))

    def read_answers(self) -> bytes | None:
        """Returns what the worker has sent; None if it has sent nothing more, and b"" if it has ended."""
        return forks.received(self.line, _PIECE)

    def take_turn(self) -> None:
        """Takes the byte that says that the worker waits for tasks, if it is there."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.turn, 1)

    def read_errors(self) -> None:
        """Takes what the worker wrote to standard error, and keeps the end of it."""
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self.errors, _PIECE):
                self._tail = (self._tail + piece)[-_TAIL:]

    def forget_errors(self) -> None:
        """Drops what the worker wrote for earlier items."""
        self._tail = b""

    def last_lines(self) -> str:
        """Returns the last lines that the worker wrote to standard error."""
        return "\n".join(self._tail.decode("utf-8", "replace").splitlines()[-_LINES:])

    def end(self) -> int:
        """Ends the worker with all that it started; returns its status, or minus the number of its signal."""
        forks.end(self._id)
        return self.ended()

    def ended(self) -> int:
        """Waits for a worker that closed its connection; returns what `end` returns."""
        status = forks.ended(self._id)
        self.read_errors()
        self.line.close()
        os.close(self.errors)
        os.close(self.turn)
        return status


def _serve(line: socket.socket, over: int, worker: child.Worker) -> None:
    lines = line.makefile("rb")
    for count in lines:
        for _ in range(int(count)):
            answer = worker.answer(task_of(lines.readline()))
            line.sendall(answer.dumps())
            if answer.leaves:
                return
        os.write(over, b".")
