"""The running result of a comparison of two arrays, block by block."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.numbers.quantiles import Differences

_AT_ONCE = 8192
"""Products in one call of BLAS. For more than 10,000, OpenBLAS uses threads, which are slow on a busy machine
(interface/dot.c)."""


class Tally:
    """The result so far.

    Attributes:
        rtol, atol: The tolerance.
        equal_bits: Whether all bits are equal.
        max_gap: The greatest difference.
        largest: The greatest absolute value of an expected number.
        needed: The rtol with which all numbers pass.
        mismatches: The number of elements out of tolerance.
        worst, at_worst: The flat index of the element that needs the largest tolerance, and both numbers there.
        ulps: The greatest difference in units in the last place; None for types without them.
        nans, infinities: The counts in both arrays.
    """

    def __init__(self, elements: int, rtol: float, atol: float) -> None:
        self.rtol, self.atol = rtol, atol
        self.equal_bits = True
        self.max_gap = self.largest = self.needed = 0.0
        self.mismatches = self.worst = 0
        self.at_worst: tuple[Any, Any] = (None, None)
        self.ulps: int | None = None
        self.nans, self.infinities = [0, 0], [0, 0]
        self._differences = Differences(elements)
        self._done = 0
        self._gap_at_worst = -1.0
        self._apart = self._longer = self._squares = 0.0

    @property
    def cosine(self) -> float:
        """The cosine of the angle between both arrays as vectors, over the elements that are finite in both.

        It is 1 if both are 0. The formula 1 - cos = (|a-b|^2 - (|a|-|b|)^2) / (2 |a| |b|) is accurate for nearly equal
        arrays.
        """
        ours, theirs = math.sqrt(max(0.0, self._squares + self._longer)), math.sqrt(self._squares)
        if not ours or not theirs:
            return 1.0 if ours == theirs else 0.0
        lengths = self._longer / (ours + theirs)
        cosine = 1 - (self._apart - lengths * lengths) / (2 * ours * theirs)
        return max(-1.0, min(1.0, cosine)) if math.isfinite(cosine) else math.nan

    @property
    def max_rel(self) -> float:
        """The greatest difference, divided by the greatest expected number."""
        if self.max_gap == 0:
            return 0.0
        return self.max_gap / self.largest if self.largest else math.inf

    @property
    def quantiles(self) -> tuple[float, ...]:
        """The 50, 90, 99 and 100 % quantiles of the differences."""
        return (*self._differences.quantiles(), self.max_gap)

    @property
    def sampled(self) -> bool:
        """Whether all quantiles except the last are those of a sample."""
        return self._differences.sampled

    def _keep(self, a: Array, b: Array, place: int, gap: float) -> None:
        self.worst, self.at_worst, self._gap_at_worst = self._done + place, (a[place], b[place]), gap

    def _multiply(self, between: Array, b: Array) -> None:
        """Adds a - b and b to the sums for the cosine: |a|^2 - |b|^2 is the sum of (a-b)(a+b)."""
        apart = product(between, between)
        self._apart += apart
        self._longer += 2 * product(between, b) + apart
        self._squares += product(b, b)


def product(x: Array, y: Array) -> float:
    """Returns the dot product of two flat arrays of one type, float32 or float64, in their own precision."""
    even = len(x) - len(x) % _AT_ONCE
    rows = np.matmul(x[:even].reshape(-1, 1, _AT_ONCE), y[:even].reshape(-1, _AT_ONCE, 1))
    total = math.fsum(rows.reshape(-1).tolist())
    if even < len(x):
        total += float(np.dot(x[even:], y[even:]))
    if x.dtype == np.float32 and (not math.isfinite(total) or (total == 0 and x.any() and y.any())):
        return product(x.astype(np.float64), y.astype(np.float64))  # the squares overflow or underflow float32
    return total
