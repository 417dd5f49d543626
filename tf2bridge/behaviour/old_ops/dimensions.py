"""Sizes of shapes that are whole numbers without being integers: `[None, 784 / 2]`, or a size read as text.

1.x took `int(value)` and refused a value that this changed; TensorFlow 2 asks for `__index__`
(python/framework/tensor_shape.py of 1.15 and 2.21).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Lets dimensions be made of any whole number, in this process."""
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
    """The integer that `value` is. Raises ValueError, as 1.15 did, where it is none."""
    number = int(value)
    if isinstance(value, float | np.floating) and number != value:
        raise ValueError(f"Ambiguous dimension: {value}; a size must be a whole number")
    return number
