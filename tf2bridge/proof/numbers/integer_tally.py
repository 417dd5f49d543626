"""Integers and booleans of two arrays, judged block by block and without any rounding."""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.numbers.tally import Tally


class IntegerTally(Tally):
    """The result so far. Differences are counted as integers of 64 bits, and returned as float64.

    rtol and atol are 0: integers are equal or different.
    """

    def __init__(self, elements: int) -> None:
        super().__init__(elements, 0.0, 0.0)

    def add(self, a: Array, b: Array) -> None:
        """Judges the next numbers of both, flat and of one length."""
        gap = _gap(_whole(a), _whole(b))
        different = int(np.count_nonzero(gap))
        if different:
            self.equal_bits = False
            self.mismatches += different
            self._judge(a, b, gap)
        self.largest = max(self.largest, *(abs(float(bound)) for bound in (b.min(), b.max())))
        numbers = b.astype(np.float64)
        self._multiply(a.astype(np.float64) - numbers, numbers)
        self._differences.add(gap.astype(np.float64))
        self._done += len(a)

    def _judge(self, a: Array, b: Array, gap: Array) -> None:
        size = np.abs(b.astype(np.float64))
        with np.errstate(divide="ignore", invalid="ignore"):
            needs = np.where(gap == 0, 0.0, gap.astype(np.float64) / size)
        needed = float(needs.max())
        places = np.flatnonzero(needs == needed)
        place = int(places[gap[places].argmax()])
        if (needed, float(gap[place])) > (self.needed, self._gap_at_worst):
            self.needed = needed
            self._keep(a, b, place, float(gap[place]))
        self.max_gap = max(self.max_gap, float(gap.max()))


def _whole(values: Array) -> Array:
    """Returns the same numbers with 64 bits, and with a sign unless they have none."""
    return values.astype(np.uint64 if values.dtype.kind == "u" or values.dtype.name == "uint4" else np.int64)


def _gap(a: Array, b: Array) -> Array:
    """|a - b| as uint64, exactly; of one number below 0 and one of more than 63 bits the greatest there is, at most."""
    if a.dtype != b.dtype:
        signed, plain = (a, b) if a.dtype == np.int64 else (b, a)
        below = signed < 0
        distance = plain + (-signed).astype(np.uint64)  # modulo 2**64
        distance = np.where(distance < plain, np.iinfo(np.uint64).max, distance)
        gap: Array = np.where(below, distance, _gap(np.where(below, 0, signed).astype(np.uint64), plain))
        return gap
    with np.errstate(over="ignore"):
        between: Array = np.where(a > b, a - b, b - a)  # modulo 2**64, which as uint64 is the distance
    return between.view(np.uint64)
