"""What passes: verdicts, and torch's rule `|a - b| <= atol + rtol * |b|`. Needs no NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What a comparison found."""

    EQUAL = "equal"  # bit for bit
    CLOSE = "close"  # within the tolerance
    DIFFERENT = "DIFFERENT"
    SHAPE = "SHAPE DIFFERS"
    TYPE = "TYPE DIFFERS"
    MISSING = "MISSING"

    @property
    def passed(self) -> bool:
        return self in (Verdict.EQUAL, Verdict.CLOSE)


@dataclass(frozen=True)
class Tolerance:
    """`|a - b| <= atol + rtol * |b|`, where b is what genuine TensorFlow computed.

    The defaults are for float32 numbers of unit scale that went through some tens of steps: sums are taken in
    another order by newer kernels, so bits differ while the mathematics does not.
    """

    rtol: float = 1e-5
    atol: float = 1e-6


DEFAULT = Tolerance()
EXACT = Tolerance(0.0, 0.0)
