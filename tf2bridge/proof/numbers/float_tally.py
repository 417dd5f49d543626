"""Compares floating and complex numbers of two arrays, block by block.

The comparison uses float64 or complex128, which represent every number of TensorFlow's types exactly. Numbers of up to
32 bits are first examined in float32, which takes half the time. Only numbers near a limit, or near the greatest
difference so far, are then compared exactly.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache
from threading import get_ident
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.pieces import BLOCK, Array
from tf2bridge.proof.numbers.tally import Tally, product
from tf2bridge.proof.numbers.ulps import greatest_ulps

_NARROW = ("float16", "float32", "bfloat16")
_FIRST = 64
"""The numbers that are compared first. If arrays differ, most numbers differ, so this is often enough."""
_NEAR = 1e-6
"""The largest relative error of float32 after three operations: each rounds by at most 2**-24."""


@dataclass(frozen=True)
class _Room:
    """Memory that is reused for each block. Allocation would take longer than the computation."""

    a: Array
    b: Array
    gap: Array
    between: Array
    size: Array
    limit: Array


@cache
def _room(kind: str, _thread: int) -> _Room:
    real = "float32" if kind == "float32" else "float64"
    return _Room(*(np.empty(BLOCK, dtype) for dtype in (kind, kind, real, kind, real, real)))


class FloatTally(Tally):
    """The result so far.

    Args:
        elements: The number of elements of each array.
        dtypes: The types of the two arrays.
        rtol, atol, nan_equal: See `Tolerance`.
    """

    def __init__(
        self, elements: int, dtypes: tuple[np.dtype[Any], np.dtype[Any]], rtol: float, atol: float, nan_equal: bool
    ) -> None:
        super().__init__(elements, *(min(bound, sys.float_info.max) for bound in (rtol, atol)))
        self._nan_equal, self._alike = nan_equal, dtypes[0] == dtypes[1]
        self.ulps = 0 if self._alike else None
        self._wide = "complex128" if "c" in (dtypes[0].kind, dtypes[1].kind) else "float64"
        self._is_narrow = all(dtype.name in _NARROW for dtype in dtypes)
        self._is_plain = dtypes[1].name in ("float32", "float64")
        self._narrow_room = _room("float32", get_ident()) if self._is_narrow else None

    def add(self, a: Array, b: Array) -> None:
        """Compares the next flat parts, of one length of at most BLOCK."""
        if self._alike and _same_bits(a, b):
            self._add_equal(b)
        else:
            self.equal_bits = False
            self._add(a, b)
        self._done += len(a)

    def _add_equal(self, b: Array) -> None:
        largest = max(float(b.max()), -float(b.min())) if self._is_plain else math.inf
        if not math.isfinite(largest):
            self._add(b, b)  # NaNs and infinities are counted, and NaNs with equal bits may count as different
            return
        self.largest = max(self.largest, largest)
        self._squares += product(b, b)
        self._differences.add_zeros(len(b))

    def _add(self, actual: Array, expected: Array) -> None:
        if self._narrow_room is None or not self._looked_through(actual, expected, self._narrow_room, _NEAR):
            self._looked_through(actual, expected, _room(self._wide, get_ident()), 0.0)

    def _looked_through(self, actual: Array, expected: Array, room: _Room, near: float) -> bool:
        """Compares a block in the types of `room`. Returns False if float32 cannot represent the numbers."""
        count = len(actual)
        a, b = _in(actual, room.a[:count]), _in(expected, room.b[:count])
        gap, between, size, limit = room.gap[:count], room.between[:count], room.size[:count], room.limit[:count]
        np.abs(np.subtract(a, b, out=between), out=gap)
        greatest, finite = _most(gap), None
        if not math.isfinite(greatest):
            if near:
                return False
            finite = self._mend(a, b, gap, between)
            greatest = _most(gap)
        self.largest = max(self.largest, _most(np.abs(b, out=size)))
        self._judge(_Block(actual, expected, gap, size, limit, near), greatest)
        self._differences.add(gap)
        self._multiply(between.view(gap.dtype), b.view(gap.dtype))
        if self.ulps is not None and greatest:
            pair = (actual, expected) if finite is None else (actual[finite], expected[finite])
            self.ulps = max(self.ulps, greatest_ulps(*pair))
        return True

    def _mend(self, a: Array, b: Array, gap: Array, between: Array) -> Array:
        """Sets the difference to 0 for equal NaNs or infinities, and to infinity if one meets another value.

        Counts them, puts 0 in their places, and returns the mask of elements that are finite in both.
        """
        same = a == b
        for place, side in enumerate((a, b)):
            self.nans[place] += int(np.isnan(side).sum())
            self.infinities[place] += int(np.isinf(side).sum())
        if self._nan_equal:
            same |= np.isnan(a) & np.isnan(b)
        finite: Array = np.isfinite(a) & np.isfinite(b)
        gap[~finite] = np.inf
        gap[same] = 0.0
        between[~finite] = a[~finite] = b[~finite] = 0.0
        return finite

    def _judge(self, block: _Block, greatest: float) -> None:
        """Counts mismatches, and finds the element with the largest needed rtol, or else the largest difference."""
        if greatest > self.atol * (1 - block.near) or math.isinf(greatest):
            if self.needed > self.rtol:
                self._count(block)
            # If most numbers differ, few are so small that they need more tolerance than earlier ones.
            if self.needed < 1 or math.isinf(greatest) or float(block.size.min()) * self.needed <= greatest:
                self._need(block)
        if greatest * (1 + block.near) > self.max_gap:
            places = (block.gap >= greatest * (1 - block.near)).nonzero()[0]
            exact = self._exact(block, places)[0]
            gap = float(exact.max())
            if gap > self.max_gap:
                self.max_gap = gap
                if not self.needed:
                    self._keep(block.actual, block.expected, int(places[exact.argmax()]), gap)

    def _count(self, block: _Block) -> None:
        """Counts mismatches. Elements near the limit are compared exactly."""
        over = block.over(self.rtol, self.atol, block.near)
        if not block.near:
            self.mismatches += int(np.count_nonzero(over | np.isinf(block.gap)))
            return
        possible = int(np.count_nonzero(over))
        sure = block.surely_over()
        certain = int(np.count_nonzero(sure))
        self.mismatches += certain
        if possible > certain:
            self.mismatches += self._out(*self._exact(block, (over & ~sure).nonzero()[0]))

    def _need(self, block: _Block) -> None:
        """Updates the needed rtol by this block, and counts mismatches if there were none before."""
        if math.isinf(self.needed):
            over = (block.gap > self.atol) & ((block.size == 0) | np.isinf(block.gap))
        else:
            over = block.over(self.needed, self.atol, block.near)
        places = over.nonzero()[0]
        if not len(places):
            return
        gaps, sizes = self._exact(block, places)
        if self.needed <= self.rtol:
            self.mismatches += self._out(gaps, sizes)
        needs = np.where(gaps > self.atol, (gaps - self.atol) / sizes, 0.0)
        needed = float(needs.max())
        most = (needs == needed).nonzero()[0]
        at = int(most[gaps[most].argmax()])
        if needed > self.needed or (needed == self.needed and needed and gaps[at] > self._gap_at_worst):
            self.needed = needed
            self._keep(block.actual, block.expected, int(places[at]), float(gaps[at]))

    def _exact(self, block: _Block, places: Array) -> tuple[Array, Array]:
        """Returns exact differences and sizes at some places; the size is 0 if the difference is infinite."""
        a, b = block.actual[places].astype(self._wide), block.expected[places].astype(self._wide)
        gaps, sizes = np.abs(a - b), np.abs(b)
        if not math.isfinite(_most(gaps)):
            wrong = ~np.isfinite(gaps)
            gaps[wrong] = block.gap[places][wrong]
            sizes[wrong] = 0.0
        return gaps, sizes

    def _out(self, gaps: Array, sizes: Array) -> int:
        return int(np.count_nonzero((gaps > self.rtol * sizes + self.atol) | np.isinf(gaps)))


@dataclass(frozen=True)
class _Block:
    """A block: numbers, differences, expected sizes. `near` is the relative error of differences and sizes."""

    actual: Array
    expected: Array
    gap: Array
    size: Array
    memory: Array
    near: float

    def over(self, rtol: float, atol: float, near: float) -> Array:
        """Returns the mask of differences above a limit; with `near` above 0, of those that may be above it."""
        np.multiply(self.size, rtol * (1 - near), out=self.memory)
        np.add(self.memory, atol * (1 - near), out=self.memory)
        over: Array = self.gap > self.memory
        return over

    def surely_over(self) -> Array:
        """Returns the mask of differences that are certainly above the limit of the last `over`."""
        np.multiply(self.memory, (1 + self.near) / (1 - self.near), out=self.memory)
        over: Array = self.gap > self.memory
        return over


def _in(values: Array, room: Array) -> Array:
    """Returns the values in the type of `room`, copied into it if necessary."""
    if values.dtype is room.dtype and room.itemsize == 4:
        return values
    room[...] = values
    return room


def _most(values: Array) -> float:
    """Returns the maximum, or NaN if there is one. It is faster than `max`."""
    return float(np.maximum.reduce(values))


def _same_bits(a: Array, b: Array) -> bool:
    if a[:_FIRST].tobytes() != b[:_FIRST].tobytes():
        return False
    if a.flags.c_contiguous and b.flags.c_contiguous and not a.nbytes % 8:
        return bool((a.view(np.uint64) == b.view(np.uint64)).all())
    return a.tobytes() == b.tobytes()
