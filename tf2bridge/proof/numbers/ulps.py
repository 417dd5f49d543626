"""How many floating numbers of a type lie between two of them."""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.numbers.pieces import Array

_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def greatest_ulps(a: Array, b: Array) -> int:
    """Returns the greatest number of steps from a number of `a` to that of `b` in its place; 0 for none.

    A step is from one number of the type to the next, so the distance of neighbours is 1, that of -0 and 0 is 0. Of
    complex numbers, the greater of both parts. Flat arrays of one type, without NaN and infinities.
    (Bruce Dawson, "Comparing Floating Point Numbers, 2012 Edition".)
    """
    if not len(a):
        return 0
    size = a.dtype.itemsize // (2 if a.dtype.kind == "c" else 1)
    one, other = (np.ascontiguousarray(each).view(_BITS[size]) for each in (a, b))
    if np.bitwise_xor(one, other).min() < 0:  # of two signs: bits of one are in order, or turned
        one, other = _ordered(one), _ordered(other)
    least, most = np.minimum(one, other), np.maximum(one, other)
    return int(np.subtract(most, least, out=most).view(_UNSIGNED[size]).max())


def _ordered(bits: Array) -> Array:
    """Whole numbers in the order of the floating numbers whose bits these are: those below 0 as minus their size."""
    sign = bits >> (bits.itemsize * 8 - 1)  # -1 or 0
    found: Array = sign & np.iinfo(bits.dtype).max
    found ^= bits
    found -= sign
    return found
