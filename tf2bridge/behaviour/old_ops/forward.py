"""The forward compatibility date of a release (python/compat/compat.py).

1.10 to 1.15 had new operations that they used in graphs only after some weeks, so that older binaries could load the
graphs. Programs read the date after which the operations are used, and tests move it. TensorFlow 2 has its own date.
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
"""The environment variable with days that 1.15 adds to its date."""
_moved: ContextVar[datetime.date | None] = ContextVar("_moved", default=None)


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Returns whether the release uses features that are new since a day, which is when its own date is later."""
    return (_moved.get() or _own_date()) > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Moves the date of the release to this day within the block."""
    token = _moved.set(datetime.date(year, month, day))
    try:
        yield
    finally:
        _moved.reset(token)


def _own_date() -> datetime.date:
    minor = next((minor for minor in sorted(_UP_TO) if in_force.before(1, minor + 1)), max(_UP_TO))
    days = int(os.environ.get(_DELTA) or 0) if minor == max(_UP_TO) else 0
    return _UP_TO[minor] + datetime.timedelta(days=days)
