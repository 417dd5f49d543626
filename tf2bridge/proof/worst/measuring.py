"""Runs both sides on a point, and measures the difference of each output."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from tf2bridge.proof.comparing.inputs import Batch, given_batch
from tf2bridge.proof.comparing.ports import Paired
from tf2bridge.proof.comparing.refusals import InputsError
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.comparing.runs import computed, rows_of
from tf2bridge.proof.comparing.sides import Runnable, Side
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.worst.points import Point

_NODE = re.compile(r"\{\{[^}]*\}\} ?| ?\[Op:\w+\]| name: (?=\))")
"""TensorFlow's names of nodes, which differ from run to run."""


@dataclass(frozen=True)
class Both:
    """Both sides, ready to run.

    Attributes:
        sides: the expected one first.
        runners: of the sides.
        ports: the inputs of both.
        pairs: the outputs of both, by their names.
        tolerance: see `compare`.
    """

    sides: tuple[Side, Side]
    runners: tuple[Runnable, Runnable]
    ports: Sequence[Paired]
    pairs: Sequence[tuple[str, str]]
    tolerance: Tolerance


@dataclass(frozen=True)
class Measured:
    """A comparison for each pair of outputs, and the largest finite number of each on the side that is expected."""

    rows: tuple[Comparison, ...]
    sizes: tuple[float, ...]


@dataclass
class Meter:
    """Measures points, and counts.

    Attributes:
        runs: how often both sides were run without an error.
        failed: the first reason of each kind -> number of points that a side could not be run on.
    """

    both: Both
    runs: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    _reasons: dict[str, str] = field(default_factory=dict)

    def measured(self, point: Point, kind: str) -> Measured | None:
        """Returns the comparisons of a point; None if a side cannot be run on it, which is counted."""
        try:
            return self.of_batch(given_batch(point, self.both.ports), kind)
        except InputsError as error:
            self.count(error)
            return None

    def count(self, error: InputsError) -> None:
        """Counts a point that a side could not be run on."""
        kind = type(error.__cause__).__name__
        reason = _NODE.sub("", str(error).removeprefix("inputs: ").partition("; give ")[0])
        self.failed[self._reasons.setdefault(kind, reason)] += 1

    def of_batch(self, batch: Batch, kind: str) -> Measured:
        """Returns the comparisons on the feeds of both sides. Raises InputsError if a side cannot be run on them."""
        ours, theirs = (
            computed(side, runner, feeds, [pair[place] for pair in self.both.pairs])
            for place, (side, runner, feeds) in enumerate(
                zip(self.both.sides, self.both.runners, (batch.a, batch.b), strict=True)
            )
        )
        self.runs += 1
        rows = tuple(rows_of(self.both.pairs, ours, theirs, batch, self.both.tolerance, kind))
        return Measured(rows, tuple(_size(ours.get(name)) for name, _ in self.both.pairs))


def figure_of(row: Comparison, size: float, least: float) -> float:
    """Returns the largest |B - A| of a row as a part of the largest |A|, here or on the starts.

    Args:
        row: the comparison of an output.
        size: the largest |A| here.
        least: the largest |A| on the starts; 1 if all of them are 0.
    """
    apart = row.distance
    if apart.verdict in (Verdict.MISSING, Verdict.SHAPE):
        return inf
    if apart.values is not None and isinstance(apart.values[0], bytes | str):
        return float(apart.mismatches > 0)
    return apart.max_abs / max(size, least) if apart.max_abs else 0.0


def least_sizes(measured: Sequence[Measured]) -> list[float]:
    """Returns the largest |A| of each output on the starts; 1 if all of them are 0."""
    return [max(sizes) or 1.0 for sizes in zip(*(part.sizes for part in measured), strict=True)]


def _size(array: Array | None) -> float:
    if array is None or array.dtype.kind in "OSU" or not array.size:
        return 0.0
    wide = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    return float(np.max(wide, initial=0.0, where=np.isfinite(wide)))
