"""A limit of the processor's time that a step of work may take, on every system."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN = 5.0
"""Seconds after which it is raised again: code that catches everything may catch the first."""
_MOMENT = 0.01
_LOOKS = 0.05
"""Seconds between two looks of the thread that counts where the system has no timer."""


class Expired(BaseException):
    """The time is up; no rule and no library catches it as an error of its own."""


@contextmanager
def expiring(seconds: float, not_in: Collection[str] = ()) -> Iterator[None]:
    """Raises Expired in the block once this process has computed for so long, and again until the block is left.

    What counts is this process's own time, so a busy machine changes nothing. In other threads than
    the first it has no effect.

    Args:
        seconds: of the processor.
        not_in: modules in which it is not raised, but a moment later: what they raise would leave the caller's block.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
    elif hasattr(signal, "setitimer"):
        with _by_signal(seconds, {__name__, "contextlib", *not_in}):
            yield
    else:
        with _by_thread(seconds):
            yield


@contextmanager
def _by_signal(seconds: float, not_in: Collection[str]) -> Iterator[None]:
    running, raised = True, False

    def expire(_number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if not running:  # it came just as the work was done
            return
        if frame is not None and frame.f_globals.get("__name__") in not_in:
            signal.setitimer(signal.ITIMER_VIRTUAL, _MOMENT, _AGAIN)
            return
        raised = True
        raise Expired

    before = signal.signal(signal.SIGVTALRM, expire)
    outer, started = 0.0, time.process_time()
    try:
        try:
            outer, _ = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
            yield
        except SystemError:  # Python 3.11 gives it for whatever is raised while it makes the nodes of a syntax tree
            if raised:
                raise Expired from None
            raise
        finally:
            running = False
    finally:
        running = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        if outer:  # a block round this one has a limit too, and goes on to count
            left = outer - (time.process_time() - started)
            signal.setitimer(signal.ITIMER_VIRTUAL, max(left, _MOMENT), _AGAIN)


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    """Does the same without timers, as on Windows: a thread looks at the time, and raises Expired in this one."""
    worker = threading.get_ident()
    lock, left = threading.Lock(), threading.Event()

    def watch() -> None:
        until = time.process_time() + seconds
        while not left.wait(_LOOKS):
            if time.process_time() < until:
                continue
            with lock:
                if not left.is_set():
                    _raise_in(worker, Expired)
            until = time.process_time() + _AGAIN

    threading.Thread(target=watch, daemon=True).start()
    try:
        try:
            yield
        finally:
            left.set()
    finally:
        with lock:
            left.set()
            _raise_in(worker, None)  # what was raised just now, and has not come yet


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raises an error in a thread before its next instruction of Python; None takes one back that has not come yet."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
