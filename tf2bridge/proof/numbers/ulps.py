"""Counts the floating-point numbers of a type between two of them."""

from __future__ import annotations

from functools import cache
from threading import get_ident
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.pieces import BLOCK, Array

_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def greatest_ulps(a: Array, b: Array) -> int:
    """Returns the greatest number of steps from a number of `a` to that of `b` in its place; 0 for none.

    A step is from one number of the type to the next, so the distance of neighbours is 1, that of -0 and 0 is 0. Of
    complex numbers, the greater of both parts. Flat arrays of one type, without NaN and infinities, of at most BLOCK.
    (Bruce Dawson, "Comparing Floating Point Numbers, 2012 Edition".)
    """
    if not len(a):
        return 0
    size = a.dtype.itemsize // (2 if a.dtype.kind == "c" else 1)
    left, right = (np.ascontiguousarray(side).view(_BITS[size]) for side in (a, b))
    memory = [room[: len(left)] for room in _room(_BITS[size], get_ident())]
    limits = np.iinfo(left.dtype)
    crossing, steps = memory
    greatest, is_crossed = 0, False
    if np.bitwise_xor(left, right, out=crossing).min() < 0:
        np.right_shift(crossing, size * 8 - 1, out=crossing)  # -1 where the signs differ, else 0
        # From one side of 0 to the other it is as many steps as the bits without their signs add up to: their sum, in
        # which one sign is, as a number that has no sign.
        np.bitwise_xor(np.add(left, right, out=steps), limits.min, out=steps)
        greatest = int(np.bitwise_and(steps, crossing, out=steps).view(_UNSIGNED[size]).max())
        if greatest >= limits.max:  # more than there are on one side of 0
            return greatest
        is_crossed = True
    # Bits of one sign are in the order of the numbers, or turned, and no difference of them is too great.
    np.subtract(left, right, out=steps)
    if is_crossed:
        np.bitwise_and(steps, np.bitwise_not(crossing, out=crossing), out=steps)
    return max(greatest, int(np.abs(steps, out=steps).max()))


@cache
def _room(kind: Any, _thread: int) -> tuple[Array, Array]:
    """Returns memory that is used again for each block; twice as much for complex numbers."""
    return np.empty(2 * BLOCK, kind), np.empty(2 * BLOCK, kind)
