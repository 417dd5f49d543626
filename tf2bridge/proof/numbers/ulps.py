"""How many floating numbers of a type lie between two of them."""

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
    one, other = (np.ascontiguousarray(each).view(_BITS[size]) for each in (a, b))
    memory = [room[: len(one)] for room in _room(_BITS[size], get_ident())]
    if np.bitwise_xor(one, other, out=memory[0]).min() < 0:
        first = _ordered(one, memory[0], memory[2])
        return _greatest(first, _ordered(other, memory[1], memory[2]), memory[2])
    # Bits of one sign are in the order of the numbers, or turned, and no difference of them is too great.
    return int(np.abs(np.subtract(one, other, out=memory[0]), out=memory[0]).max())


def _greatest(one: Array, other: Array, memory: Array) -> int:
    """The greatest difference, which may need a bit more than the numbers have: the sign's."""
    np.maximum(one, other, out=memory)
    np.minimum(one, other, out=other)
    return int(np.subtract(memory, other, out=memory).view(_UNSIGNED[memory.itemsize]).max())


def _ordered(bits: Array, made: Array, sign: Array) -> Array:
    """Whole numbers in the order of the floating numbers whose bits these are: those below 0 as minus their size."""
    np.right_shift(bits, bits.itemsize * 8 - 1, out=sign)  # -1 or 0
    np.bitwise_and(sign, np.iinfo(bits.dtype).max, out=made)
    np.bitwise_xor(made, bits, out=made)
    return np.subtract(made, sign, out=made)


@cache
def _room(kind: Any, _thread: int) -> tuple[Array, Array, Array]:
    """Memory that is used again for each block; twice as much for complex numbers."""
    made = [np.empty(2 * BLOCK, kind) for _ in range(3)]
    return made[0], made[1], made[2]
