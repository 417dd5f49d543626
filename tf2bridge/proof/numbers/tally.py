"""What is found of two arrays, of whatever numbers, while they are judged block by block."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.numbers.quantiles import Differences

_AT_ONCE = 8192
"""Products that BLAS sums at once: of more than 10,000 it would let threads do it, which wait for each other wherever
the machine has other work (OpenBLAS, interface/dot.c)."""


class Tally:
    """What was found so far.

    Attributes:
        rtol, atol: in force.
        equal_bits: whether no bit differs yet.
        max_gap: the greatest difference.
        largest: the greatest size of a number that is expected.
        needed: the rtol that all pass with.
        mismatches: how many are out of tolerance.
        worst, at_worst: the place that needs the most, counted through the flat arrays, and both numbers there.
        ulps: the greatest number of steps between neighbouring floating numbers; None where these are none.
        nans, infinities: how many the one and the other array has.
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
        """Of the angle between both arrays as vectors, over the places where both are finite; 1 where both are 0.

        1 - cos = (|a-b|^2 - (|a|-|b|)^2) / (2 |a| |b|), in which nothing is lost where both are nearly the same.
        """
        ours, theirs = math.sqrt(max(0.0, self._squares + self._longer)), math.sqrt(self._squares)
        if not ours or not theirs:
            return 1.0 if ours == theirs else 0.0
        lengths = self._longer / (ours + theirs)
        cosine = 1 - (self._apart - lengths * lengths) / (2 * ours * theirs)
        return max(-1.0, min(1.0, cosine)) if math.isfinite(cosine) else math.nan

    @property
    def max_rel(self) -> float:
        """The greatest difference over the greatest number that is expected."""
        if self.max_gap == 0:
            return 0.0
        return self.max_gap / self.largest if self.largest else math.inf

    @property
    def quantiles(self) -> tuple[float, ...]:
        """The differences that 50, 90, 99 and 100 % of the elements do not exceed."""
        return (*self._differences.quantiles(), self.max_gap)

    @property
    def sampled(self) -> bool:
        """Whether all quantiles but the last are those of a sample."""
        return self._differences.sampled

    def _keep(self, a: Array, b: Array, place: int, gap: float) -> None:
        self.worst, self.at_worst, self._gap_at_worst = self._done + place, (a[place], b[place]), gap

    def _multiply(self, between: Array, b: Array) -> None:
        """Adds to the sums of which the cosine is made, of a - b and b: |a|^2 - |b|^2 is (a-b)(a+b), summed."""
        apart = product(between, between)
        self._apart += apart
        self._longer += 2 * product(between, b) + apart
        self._squares += product(b, b)


def product(x: Array, y: Array) -> float:
    """The sum of the products of two flat arrays of one type, float32 or float64, in their own precision."""
    even = len(x) - len(x) % _AT_ONCE
    rows = np.matmul(x[:even].reshape(-1, 1, _AT_ONCE), y[:even].reshape(-1, _AT_ONCE, 1))
    total = math.fsum(rows.reshape(-1).tolist())
    if even < len(x):
        total += float(np.dot(x[even:], y[even:]))
    if x.dtype == np.float32 and (not math.isfinite(total) or (total == 0 and x.any() and y.any())):
        return product(x.astype(np.float64), y.astype(np.float64))  # squares that float32 does not hold
    return total
