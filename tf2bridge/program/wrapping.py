"""Numbers wrapped around to an integer dtype, as NumPy 1 wrapped them."""

from __future__ import annotations

from typing import Any

import numpy as np


def wrapped(value: Any, dtype: Any) -> Any:
    """Returns `value`, a number or nested lists of numbers, as an array of the integer `dtype`.

    Raises OverflowError for another dtype, and for a number beyond 64 bits.
    """
    wide = np.asarray(value)
    if wide.dtype.kind == "U":
        wide = wide.astype(np.int64)
    if wide.dtype.kind not in "iuf" or np.dtype(dtype).kind not in "iu":
        raise OverflowError(f"Python integer out of bounds for {np.dtype(dtype)}")
    return (wide.astype(np.int64) if wide.dtype.kind == "f" else wide).astype(dtype)
