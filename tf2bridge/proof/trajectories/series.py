"""The difference of one quantity over the steps of a program: a loss, a fetched tensor, a variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.proof.comparing.rows import CHECKPOINT, Comparison
from tf2bridge.proof.numbers.tolerance import Verdict


@dataclass(frozen=True)
class Series:
    """How far one quantity was apart, step by step.

    Attributes:
        name: of the tensor or variable.
        steps: [n] in rising order: the numbers of calls, or global steps.
        relative: [n] max |a - b| at each step over the size of the quantity: max |b| at that step, or the median of
            these where that is larger, so that a loss that passes near zero does not look far off. inf where one side
            is not finite or b is all zero.
        spacing: how many steps of the program lie between two of these at most: 1 where each is known, more where only
            checkpoints are.
    """

    name: str
    steps: tuple[int, ...]
    relative: tuple[float, ...]
    spacing: int = 1

    @property
    def values(self) -> NDArray[np.float64]:
        return np.asarray(self.relative, np.float64)


def of_rows(rows: Iterable[Comparison]) -> list[Series]:
    """Returns the series of every fetched tensor, or variable of checkpoints, that was compared at two steps or more,
    in order of appearance.
    """
    by_tensor: dict[str, list[Comparison]] = {}
    for row in rows:
        if row.recurs and row.distance.verdict in _NUMBERS:
            by_tensor.setdefault(row.tensor, []).append(row)
    return [_series(name, group) for name, group in by_tensor.items() if len({row.call for row in group}) > 1]


_NUMBERS = (Verdict.EQUAL, Verdict.CLOSE, Verdict.DIFFERENT)


def _series(name: str, rows: Sequence[Comparison]) -> Series:
    worst: dict[int, tuple[float, float]] = {}
    for row in rows:
        assert row.call is not None
        gap, relative = row.distance.max_abs, row.distance.max_rel
        size = gap / relative if relative and np.isfinite(relative) and np.isfinite(gap) else 0.0
        worst[row.call] = max(worst.get(row.call, (0.0, 0.0)), (gap, size))
    series = of_gaps(name, tuple(sorted(worst)), [worst[step] for step in sorted(worst)])
    if rows[0].kind != CHECKPOINT:
        return series
    return replace(series, spacing=max(after - before for before, after in pairwise((0, *series.steps))))


def gap(ours: Any, theirs: Any) -> tuple[float, float]:
    """Returns max |a - b| and max |b|; an infinite gap if one side has a NaN or infinity that the other side lacks."""
    a, b = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    with np.errstate(invalid="ignore"):
        gap = np.abs(np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, a - b)).max(initial=0.0)
    size = np.abs(b[np.isfinite(b)]).max(initial=0.0)
    return float(gap) if np.isfinite(gap) else float("inf"), float(size)


def of_gaps(name: str, steps: tuple[int, ...], gaps: Sequence[tuple[float, float]]) -> Series:
    """Returns the series of the results of `gap` at each step."""
    usual = float(np.median([size for _, size in gaps if size] or [0.0]))
    sizes = [max(size, usual) for _, size in gaps]
    relative = [gap and (gap / size if size else float("inf")) for (gap, _), size in zip(gaps, sizes, strict=True)]
    return Series(name, steps, tuple(relative))
