"""How much work one file may cost, so that the others are looked at whatever it holds."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from codemods.errors import OutOfMemoryError, TooCostlyError, TooNestedError

# Seconds of computing. A megabyte of Python 2, or of nothing but calls to be rewritten, takes about 8.
_SECONDS, _SECONDS_A_MEGABYTE = 15.0, 30.0
# The signal comes again: code that catches everything may catch the first. It takes a while to leave what was at work.
_AGAIN = 5.0
_MOMENT = 0.01
_BLOCKS = (__name__, "contextlib")


class _Expired(BaseException):
    """The time of a file is up; no rule and no library catches it as an error of its own."""


@contextmanager
def limited(path: Path | str, size: int) -> Iterator[None]:
    """For one step of work on a file of so many characters: what it uses up is an error of this file alone.

    Raises TooCostlyError once the step has computed for too long, TooNestedError where Python nests no deeper, and
    OutOfMemoryError.
    """
    try:
        with _timed(path, _SECONDS + _SECONDS_A_MEGABYTE * size / 1e6):
            yield
    except MemoryError:
        raise OutOfMemoryError(path) from None
    except RecursionError:
        raise TooNestedError(path) from None


@contextmanager
def _timed(path: Path | str, seconds: float) -> Iterator[None]:
    """What counts is this process's own time, so a busy machine changes nothing.

    Without effect where there are no signals of this kind: on Windows, and in other threads than the first.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    running = True

    def expire(_number: int, frame: FrameType | None) -> None:
        if not running:  # it came just as the work was done
            return
        if frame is not None and frame.f_globals.get("__name__") in _BLOCKS:
            # What is raised on the way out of a block would lead out of ours, too: it comes again in a moment.
            signal.setitimer(signal.ITIMER_VIRTUAL, _MOMENT, _AGAIN)
            return
        raise _Expired

    before = signal.signal(signal.SIGVTALRM, expire)
    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
            yield
        finally:
            running = False
    except _Expired:
        raise TooCostlyError(path, seconds) from None
    finally:
        running = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
