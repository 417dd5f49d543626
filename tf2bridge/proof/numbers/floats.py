"""Floating and complex numbers of two arrays, judged block by block."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.pieces import BLOCK, Array
from tf2bridge.proof.numbers.tally import Tally
from tf2bridge.proof.numbers.ulps import greatest_ulps

_FAST = ("float32", "float64")
"""Types whose sums of products BLAS computes as they are."""


class FloatTally(Tally):
    """What was found so far, in float64 or complex128: every type of TensorFlow's floats is exact in these.

    Args:
        elements: how many the whole arrays have.
        dtypes: of the two.
        rtol, atol, nan_equal: see `Tolerance`.
    """

    def __init__(
        self, elements: int, dtypes: tuple[np.dtype[Any], np.dtype[Any]], rtol: float, atol: float, nan_equal: bool
    ) -> None:
        super().__init__(elements, rtol, atol)
        self._nan_equal, self._alike = nan_equal, dtypes[0] == dtypes[1]
        self.ulps = 0 if self._alike else None
        wide = np.complex128 if "c" in (dtypes[0].kind, dtypes[1].kind) else np.float64
        self._a, self._b = np.empty(BLOCK, wide), np.empty(BLOCK, wide)
        self._gap, self._size, self._limit = (np.empty(BLOCK) for _ in range(3))

    def add(self, a: Array, b: Array) -> None:
        """Judges the next numbers of both, flat and of one length, at most BLOCK."""
        if self._alike and _same_bits(a, b):
            self._add_equal(b)
        else:
            self.equal_bits = False
            self._add(a, b)
        self._done += len(a)

    def _add_equal(self, b: Array) -> None:
        if b.dtype.name not in _FAST or not np.isfinite(b).all():
            self._add(b, b)  # NaNs and infinities are counted, and may be different where they are equal
            return
        self.largest = max(self.largest, float(b.max()), -float(b.min()))
        square = float(np.einsum("i,i->", b, b))
        self._squares = [each + square for each in self._squares]
        self._differences.add_zeros(len(b))

    def _add(self, one: Array, other: Array) -> None:
        count = len(one)
        a, b, gap, size = (each[:count] for each in (self._a, self._b, self._gap, self._size))
        a[...], b[...] = one, other
        with np.errstate(all="ignore"):
            np.abs(b, out=size)
            if a.dtype.kind == "c":
                gap[...] = np.abs(a - b)
            else:
                np.abs(np.subtract(a, b, out=gap), out=gap)
            greatest = float(gap.max())
            finite = None if math.isfinite(greatest) else self._mended(a, b, gap, size)
            greatest = greatest if finite is None else float(gap.max())
            self._judge(one, other, gap, size, greatest)
            self.max_gap = max(self.max_gap, greatest)
            self.largest = max(self.largest, float(size.max()))
            self._multiply(*(np.ascontiguousarray(each).view(np.float64) for each in (a, b)))
        self._differences.add(gap)
        if self.ulps is not None and greatest:
            pair = (one, other) if finite is None else (one[finite], other[finite])
            self.ulps = max(self.ulps, greatest_ulps(*pair))

    def _mended(self, a: Array, b: Array, gap: Array, size: Array) -> Array:
        """Makes the difference 0 where NaN or an infinity equals itself, and infinite where it meets anything else.

        Counts them, leaves 0 in their places, and returns where both numbers are finite.
        """
        same = a == b
        for place, each in enumerate((a, b)):
            nans = np.isnan(each)
            self.nans[place] += int(nans.sum())
            self.infinities[place] += int(np.isinf(each).sum())
        if self._nan_equal:
            same |= np.isnan(a) & np.isnan(b)
        finite: Array = np.isfinite(a) & np.isfinite(b)
        gap[~finite] = np.inf
        gap[same] = 0.0
        size[~np.isfinite(b)] = 0.0
        a[~finite] = b[~finite] = 0.0
        return finite

    def _judge(self, one: Array, other: Array, gap: Array, size: Array, greatest: float) -> None:
        """Counts what is out of tolerance, and finds what needs the most: first by rtol, then by the difference."""
        if greatest > self.atol or math.isinf(greatest):
            limit = self._limit[: len(gap)]
            out = gap > np.add(np.multiply(size, self.rtol, out=limit), self.atol, out=limit)
            if math.isinf(greatest):
                out |= np.isinf(gap)  # however large the tolerance
            self.mismatches += int(np.count_nonzero(out))
            self._need(one, other, gap, size)
        elif not self.needed and greatest > self.max_gap:
            self._keep(one, other, int(gap.argmax()), greatest)

    def _need(self, one: Array, other: Array, gap: Array, size: Array) -> None:
        """Takes the rtol that this block needs, if it is more than those before needed."""
        if math.isinf(self.needed):
            places = np.flatnonzero((gap > self.atol) & ((size == 0) | np.isinf(gap)))
        else:
            limit = self._limit[: len(gap)]
            places = np.flatnonzero(gap > np.add(np.multiply(size, self.needed, out=limit), self.atol, out=limit))
        if not len(places):
            return
        needs = (gap[places] - self.atol) / size[places]
        needed = float(needs.max())
        places = places[needs == needed]
        place = int(places[gap[places].argmax()])
        if needed > self.needed or (needed == self.needed and gap[place] > self._gap_at_worst):
            self.needed = needed
            self._keep(one, other, place, float(gap[place]))


def _same_bits(a: Array, b: Array) -> bool:
    if a.flags.c_contiguous and b.flags.c_contiguous and not a.nbytes % 8:
        return bool((a.view(np.uint64) == b.view(np.uint64)).all())
    return a.tobytes() == b.tobytes()
