"""What passes: verdicts, and torch's rule `|a - b| <= atol + rtol * |b|`. Needs no NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from tf2bridge.proof.numbers.refusals import ToleranceError


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


FLOAT32 = (1e-5, 1e-6)
"""For float32 numbers of unit scale that went through some tens of steps: sums are taken in another order by newer
kernels, so bits differ while the mathematics does not. (torch's 1.3e-6 and 1e-5 are of one operation, and let an
absolute difference pass that is a tenth of a learning rate's.)"""

FLOAT64 = (1e-9, 1e-12)
"""For float64 numbers of unit scale: far above what other kernels make of them, and far below half a unit in the last
place of float32, 6e-8. What went through float32 does not pass. (torch's 1e-7 and 1e-7 let it.)"""

DEFAULTS: dict[str, tuple[float, float]] = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": FLOAT32,
    "complex64": FLOAT32,
    "float64": FLOAT64,
    "complex128": FLOAT64,
    # One unit in the last place at most, as 1e-3 is of float16: float8 has three bits of mantissa, e5m2 two.
    **dict.fromkeys(("float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz"), (2.0**-3, 1e-5)),
    **dict.fromkeys(("float8_e5m2", "float8_e5m2fnuz"), (2.0**-2, 1e-5)),
}
"""TensorFlow's name of a type -> (rtol, atol). Those of float16 and bfloat16 are the table of
torch.testing.assert_close (torch/testing/_comparison.py). What is not here, integers, booleans and texts, is equal or
different."""


@dataclass(frozen=True)
class Tolerance:
    """`|a - b| <= atol + rtol * |b|`, where b is what is expected, as genuine TensorFlow computed it.

    Attributes:
        rtol, atol: for every type of floating numbers; None where each type has its own, of `DEFAULTS`. Integers,
            booleans and texts must be equal whatever these are: a step counter or a label that is one off is no
            rounding.
        nan_equal: whether NaN equals NaN, whatever its bits.
        check_dtype: whether arrays of different types are different, however near their values are.

    Raises ToleranceError for what is negative, infinite or NaN.
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
        """Returns (rtol, atol) for values of such types, as TensorFlow calls them: of several the larger ones."""
        known = [DEFAULTS.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        rtol = max(bounds[0] for bounds in known) if self.rtol is None else self.rtol
        atol = max(bounds[1] for bounds in known) if self.atol is None else self.atol
        return rtol, atol


DEFAULT = Tolerance()
EXACT = Tolerance(0.0, 0.0)
