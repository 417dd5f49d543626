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

from tf2bridge.behaviour import in_force

_UP_TO = {
    10: datetime.date(2018, 8, 1),
    11: datetime.date(2018, 8, 31),
    12: datetime.date(2018, 10, 1),
    13: datetime.date(2018, 12, 13),
    14: datetime.date(2019, 11, 1),
    15: datetime.date(2019, 8, 21),
}
"""The dates of 1.10 to 1.15, `_FORWARD_COMPATIBILITY_HORIZON` of their last releases; earlier ones had none."""
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
    minor = next((minor for minor in sorted(_UP_TO) if in_force.before(1, minor + 1)), max(_UP_TO))
    days = int(os.environ.get(_DELTA) or 0) if minor == max(_UP_TO) else 0
    return _UP_TO[minor] + datetime.timedelta(days=days)
