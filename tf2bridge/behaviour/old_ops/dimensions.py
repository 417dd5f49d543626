"""Sizes of shapes that are whole numbers of other types: `[None, 784 / 2]`, or a size read as text.

1.x used `int(value)` and refused a value that differs from its `int`; TensorFlow 2 requires `__index__`
(python/framework/tensor_shape.py of 1.15 and 2.21).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Makes dimensions accept any whole number, in this process."""
    dimension: Any = internals.framework.tensor_shape.Dimension
    original = dimension.__init__

    @functools.wraps(original)
    def made(self: Any, value: Any) -> None:
        try:
            original(self, value)
        except TypeError:
            if not isinstance(value, float | np.floating | str | bytes):
                raise
            original(self, _whole(value))

    put(dimension, "__init__", made)


def _whole(value: Any) -> int:
    """Returns the integer that equals `value`. Raises ValueError for another value, as 1.15 did."""
    number = int(value)
    if isinstance(value, float | np.floating) and number != value:
        raise ValueError(f"Ambiguous dimension: {value}; a size must be a whole number")
    return number
