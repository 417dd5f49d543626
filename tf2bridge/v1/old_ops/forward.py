"""The date up to which a release used what it had just been given (python/compat/compat.py).

1.12 and 1.15 had operations and parameters that they left unused until some weeks later, when older programs that load
their graphs would know them, too. Programs ask for that date, and tests move it. For TensorFlow 2 all of it is long
past; what it asks itself goes by its own date.
"""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Iterator
from contextvars import ContextVar

from tf2bridge.v1 import switch

_UP_TO = {"1.12.3": datetime.date(2018, 10, 1), "1.15.5": datetime.date(2019, 8, 21)}
"""The dates of the genuine releases, `_FORWARD_COMPATIBILITY_HORIZON`; 1.4 had none."""
_DELTA = "TF_FORWARD_COMPATIBILITY_DELTA_DAYS"
"""The variable of the environment that 1.15 adds to its date, in days."""
_moved: ContextVar[datetime.date | None] = ContextVar("_moved", default=None)


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether a release uses what is new since a day: whether the day is before its own date."""
    return (_moved.get() or _own_date()) > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Within the block the release uses what is new since before this day."""
    token = _moved.set(datetime.date(year, month, day))
    try:
        yield
    finally:
        _moved.reset(token)


def _own_date() -> datetime.date:
    release = switch.enabled()
    measured = release.measured if release else "1.15.5"
    days = int(os.environ.get(_DELTA) or 0) if measured == "1.15.5" else 0
    return _UP_TO.get(measured, _UP_TO["1.12.3"]) + datetime.timedelta(days=days)
