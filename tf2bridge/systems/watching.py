"""Runs work in a process of its own, which this process watches, so that its end is always reported.

On Linux the process is a fork, which costs nothing. Elsewhere it is a new process that runs the whole command again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.systems import ENDING, FORKS, HARD

CAN_FORK = FORKS and hasattr(signal, "sigwaitinfo")
"""Whether this process can wait for a fork, and pass signals on to it."""
_VERDICT = "TF2BRIDGE_VERDICT"
"""The environment variable of a watched process with the file in which it reports its result."""
_PR_SET_PDEATHSIG = 1
"""Of linux/prctl.h; other systems have no such call."""
_BY_KERNEL = 0x80
"""SI_KERNEL of asm-generic/siginfo.h: a signal of the terminal, which every process of the group gets."""
_ORPHANED = 2
_OF_TERMINAL = (signal.SIGINT, getattr(signal, "SIGBREAK", signal.SIGINT))
"""Signals that a terminal sends to both processes."""


@dataclass(frozen=True)
class Ended:
    """How a watched process ended.

    Attributes:
        status: Its exit status; minus the number of the signal that ended it.
        verdict: The result of the work; None if the process ended before.
    """

    status: int
    verdict: int | None


def forked(work: Callable[[], int]) -> Ended | int:
    """Does the work in a fork of this process.

    Returns how the fork ended; in the fork, returns the result of the work.
    """
    reader, writer = os.pipe()
    os.set_blocking(reader, False)  # a process that the child leaves behind may still hold the other end
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*ENDING, signal.SIGCHLD})
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, this process never learns of the child's end
    parent, child = os.getpid(), os.fork()
    if not child:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        end_with(parent)
        own = os.getpid()
        status = work()
        if os.getpid() == own:  # and not in a process that the work forked
            os.write(writer, bytes([status]))
        return status
    ended = _status_of(child)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    os.close(writer)
    verdict = b""
    with contextlib.suppress(BlockingIOError):
        verdict = os.read(reader, 1)
    return Ended(os.waitstatus_to_exitcode(ended), verdict[0] if verdict else None)


def started(command: Sequence[str]) -> Ended:
    """Starts a command of ours, which calls `report`, and returns how it ended. Signals to end are passed on."""
    import tempfile  # slow to import, and only used where a system cannot fork

    with tempfile.TemporaryDirectory(prefix="tf2bridge-", ignore_cleanup_errors=True) as folder:
        place = Path(folder, "verdict")
        process = subprocess.Popen(command, env={**os.environ, _VERDICT: str(place)})
        with _passing_on(process):
            status = process.wait()
        verdict = place.read_bytes() if place.is_file() else b""
    return Ended(status, verdict[0] if verdict else None)


def is_started() -> bool:
    """Returns whether `started` started this process."""
    return _VERDICT in os.environ


def report(work: Callable[[], int]) -> int:
    """Does the work in a process that `started` started, reports its result, and returns it."""
    place = Path(os.environ.pop(_VERDICT))  # processes that the work starts do not report
    own = os.getpid()
    status = work()
    if os.getpid() == own:
        place.write_bytes(bytes([status]))
    return status


@contextlib.contextmanager
def _passing_on(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Passes signals on, except those that the other process gets anyway."""

    def pass_on(number: int, _frame: object) -> None:
        if number not in _OF_TERMINAL:
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_with(parent: int) -> None:
    """Ends this process when its parent is killed: readers of its output would wait for ever."""
    with contextlib.suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, HARD)
        if os.getppid() != parent:
            os._exit(_ORPHANED)


def _status_of(child: int) -> int:
    """Waits for a child, and sends it the signals that this process gets."""
    while True:
        caught = signal.sigwaitinfo({*ENDING, signal.SIGCHLD})
        if caught.si_signo != signal.SIGCHLD:
            if caught.si_code != _BY_KERNEL:
                os.kill(child, caught.si_signo)
            continue
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
