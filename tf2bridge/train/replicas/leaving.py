"""Lets a worker leave its synchronous replicas when its session is closed, or its process ends, without an error."""

from __future__ import annotations

import atexit
import sys
import weakref
from collections.abc import Sequence
from typing import Any

from tf2bridge.train.replicas.optimizer import Replicas


def leave_at_its_end(session: Any, optimizers: Sequence[Replicas], is_chief: bool) -> None:
    """Makes the optimizers leave when the session is closed, or at the end of the process; not after an error.

    This is for programs whose Supervisor is never stopped: no hook reports the end of their training.

    Args:
        session: The session of the worker.
        optimizers: The optimizers that leave.
        is_chief: Whether the worker is the chief.
    """
    if not optimizers:
        return
    close, known, pending = session.close, weakref.ref(session), list(optimizers)

    def leave_once() -> None:
        current = known()
        while pending and current is not None and not _is_failing():
            pending.pop().leave(current, is_chief)

    def close_after_leaving() -> None:
        leave_once()
        close()

    session.close = close_after_leaving
    atexit.register(leave_once)


def _is_failing() -> bool:
    """Returns whether an error ends the with block, or has ended the program: Python keeps it in sys.last_value."""
    return sys.exc_info()[0] is not None or getattr(sys, "last_value", None) is not None
