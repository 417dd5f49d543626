"""Verdicts and tolerances, by torch's rule `|a - b| <= atol + rtol * |b|`. Needs no NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from tf2bridge.proof.numbers.refusals import ToleranceError


class Verdict(Enum):
    """The result of comparing two arrays."""

    EQUAL = "equal"  # bit for bit
    CLOSE = "close"  # within the tolerance
    DIFFERENT = "DIFFERENT"
    SHAPE = "SHAPE DIFFERS"
    TYPE = "TYPE DIFFERS"
    MISSING = "MISSING"

    @property
    def passed(self) -> bool:
        return self in (Verdict.EQUAL, Verdict.CLOSE)


FLOAT32 = (1e-5, 1e-6)
"""For float32 numbers of unit scale after some tens of steps. Newer kernels sum in another order, so bits differ while
the mathematics is the same. (torch's 1.3e-6 and 1e-5 are for one operation. Its atol of 1e-5 accepts differences of a
tenth of a small learning rate.)"""

FLOAT64 = (1e-9, 1e-12)
"""For float64 numbers of unit scale. It is far above the differences of kernels, and far below half a unit in the last
place of float32 (6e-8), so a value that was float32 on the way does not pass. (It passes with torch's 1e-7.)"""

DEFAULTS: dict[str, tuple[float, float]] = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": FLOAT32,
    "complex64": FLOAT32,
    "float64": FLOAT64,
    "complex128": FLOAT64,
    # At most one unit in the last place, like 1e-3 for float16. float8 has three bits of mantissa, e5m2 two.
    **dict.fromkeys(("float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz"), (2.0**-3, 1e-5)),
    **dict.fromkeys(("float8_e5m2", "float8_e5m2fnuz"), (2.0**-2, 1e-5)),
}
"""TensorFlow's name of a type -> (rtol, atol). The values for float16 and bfloat16 are those of
torch.testing.assert_close (torch/testing/_comparison.py). Types that are not here (integers, booleans, strings) must
be equal."""


@dataclass(frozen=True)
class Tolerance:
    """The rule `|a - b| <= atol + rtol * |b|`, where b is the expected value, computed by genuine TensorFlow.

    Attributes:
        rtol, atol: The bounds for all floating types; None for the `DEFAULTS` of each type. Integers, booleans and
            strings must always be equal: a step counter or a label that is off by one is not rounding.
        nan_equal: Whether NaN equals NaN, with any bits.
        check_dtype: Whether arrays of different types are different, even if their values are close.

    Raises:
        ToleranceError: A bound is negative, infinite or NaN.
    """

    rtol: float | None = None
    atol: float | None = None
    nan_equal: bool = True
    check_dtype: bool = True

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if value is not None and not 0 <= value < math.inf:
                raise ToleranceError(name, value)

    def of(self, *dtypes: str) -> tuple[float, float]:
        """Returns (rtol, atol) for values of these types, by TensorFlow's names; of several types, the largest."""
        known = [DEFAULTS.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        rtol = max(bounds[0] for bounds in known) if self.rtol is None else self.rtol
        atol = max(bounds[1] for bounds in known) if self.atol is None else self.atol
        return rtol, atol


DEFAULT = Tolerance()
EXACT = Tolerance(0.0, 0.0)
