"""Sizes that a file states, checked before memory is taken for them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

MOST_DIMENSIONS = 32
"""Of an array in NumPy 1; NumPy 2 has 64 and TensorFlow 254, and no variable comes near."""
_MOST_BYTES = (1 << 63) - 1


def elements(shape: Sequence[int], item: int = 1) -> int:
    """Returns how many elements, of `item` bytes each, a shape has.

    Raises ValueError for a shape that no array has: a negative size, too many dimensions, or sizes whose bytes cannot
    be counted even where one of the sizes is 0, as in (2**62, 0).
    """
    if len(shape) > MOST_DIMENSIONS:
        raise ValueError(f"it has {len(shape):,} dimensions, and at most {MOST_DIMENSIONS} are read")
    if shape and min(shape) < 0:
        raise ValueError(f"the shape {list(shape)} has a negative size")
    count = prod(shape)
    if (count or prod(size for size in shape if size)) * item > _MOST_BYTES:
        raise ValueError(f"the shape {list(shape)} is larger than any array")
    return count
