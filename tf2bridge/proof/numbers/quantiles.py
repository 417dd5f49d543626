"""Quantiles of the differences of two arrays that are compared a block at a time."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from tf2bridge.proof.numbers.pieces import BLOCK, Array

SHARES = (0.5, 0.9, 0.99)
"""The quantiles that are reported, besides the maximum."""
MOST = 1 << 13
"""The size of a sample. Larger arrays are sampled evenly over their blocks."""


class Differences:
    """Collects the differences of the blocks, or a reproducible sample of them."""

    def __init__(self, elements: int) -> None:
        self.sampled = elements > MOST
        self._share = MOST / max(1, elements)
        self._kept: list[Array] = []
        self._zeros = 0
        self._places = _places() if self.sampled else None
        self._at = 0

    def add(self, gaps: Array) -> None:
        """Adds the differences of a block. The caller may change the array afterwards."""
        if self._places is None:
            self._kept.append(gaps.copy())
            return
        count = self._count(len(gaps))
        self._at = self._at if self._at + count <= len(self._places) else 0
        places = self._places[self._at : self._at + count]
        self._at += count
        self._kept.append(gaps[places if len(gaps) == BLOCK else places % len(gaps)])

    def add_zeros(self, count: int) -> None:
        """Adds a block without differences."""
        self._zeros += count if self._places is None else self._count(count)

    def quantiles(self) -> tuple[float, ...]:
        """Returns the quantiles of the differences for SHARES."""
        gaps = np.concatenate(self._kept) if self._kept else np.empty(0)
        total = self._zeros + len(gaps)
        places = [max(-1, math.ceil(share * total) - 1 - self._zeros) for share in SHARES]
        gaps.sort()
        return tuple(float(gaps[place]) if place >= 0 else 0.0 for place in places)

    def _count(self, size: int) -> int:
        return min(size, math.ceil(self._share * size))


@cache
def _places() -> Array:
    """Returns fixed random places in a block, so that regular patterns in the data do not bias the sample."""
    return np.random.default_rng(0).integers(0, BLOCK, max(MOST, BLOCK))
