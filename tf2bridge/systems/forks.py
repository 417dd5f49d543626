"""Forks of this process that lead a group of their own, so that each is ended with all that it starts.

Windows has no forks: `systems.FORKS` says so, and nothing here is called there.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import socket
from collections.abc import Iterable

from tf2bridge.systems import HARD, limits, watching


def fork() -> int:
    """Returns the number of a new fork of this process; in the fork, returns 0."""
    child = os.fork()
    if child:
        with contextlib.suppress(OSError):  # it has done so itself, or has ended
            os.setpgid(child, child)
    return child


def become_member(parent: int, output: int) -> None:
    """Gives a fork its group and its output, ties its life to its parent's, and lets it end first if memory is short.

    Args:
        parent: the number of the process that forked.
        output: the descriptor for standard output and error.
    """
    os.setpgid(0, 0)
    watching.end_with(parent)
    limits.end_first()
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)


def pipe() -> tuple[int, int]:
    """Returns the ends of a pipe, of which the first never waits when it is read."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    return reader, writer


def wait(seconds: float, readable: Iterable[int], ending: Iterable[int] = ()) -> set[int]:
    """Waits until a descriptor of `readable` can be read, or the other end of one of `ending` is closed.

    Returns these descriptors; none if nothing has happened for so many seconds, which may be infinite.
    """
    poll = select.poll()
    for descriptor in readable:
        poll.register(descriptor, select.POLLIN)
    for descriptor in ending:
        poll.register(descriptor, 0)
    milliseconds = None if seconds == math.inf else max(seconds, 0.0) * 1000
    return {descriptor for descriptor, _ in poll.poll(milliseconds)}


def received(line: socket.socket, most: int) -> bytes | None:
    """Returns what has arrived; None if nothing has, and b"" if the other end is closed. It never waits."""
    try:
        return line.recv(most, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return None
    except ConnectionResetError:
        return b""


def end(child: int) -> None:
    """Ends a fork; `ended` has to follow."""
    os.kill(child, HARD)


def ended(child: int) -> int:
    """Waits for the end of a fork and ends what it started; returns its status, or minus the number of its signal."""
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, HARD)
    return status
