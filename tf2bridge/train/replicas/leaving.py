"""How a worker says that it has stopped: when its session is closed, or its process ends, and nothing went wrong."""

from __future__ import annotations

import atexit
import sys
import weakref
from collections.abc import Sequence
from typing import Any

from tf2bridge.train.replicas.optimizer import Replicas


def leave_at_its_end(session: Any, optimizers: Sequence[Replicas], is_chief: bool) -> None:
    """Leaves when `session` is closed, or at the end of the process; not while an error is on its way.

    For programs of a Supervisor that nobody stops: there is no hook to tell the end of the training.
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
    """Whether an error ends the with block, or ended the program: Python keeps the last in sys.last_value."""
    return sys.exc_info()[0] is not None or getattr(sys, "last_value", None) is not None
