"""The search: climbs from the starts and from other points until the time is over, and keeps the measurements."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from tf2bridge.proof.comparing.rows import WORST, Comparison
from tf2bridge.proof.worst.measuring import Measured, Meter, figure_of
from tf2bridge.proof.worst.outcome import Found, Way, WorstOutput
from tf2bridge.proof.worst.points import Point, Space
from tf2bridge.proof.worst.slopes import NO_SLOPE, Slopes

_STEPS = 32
"""Of one climb."""
_FIRST, _LAST = 0.2, 0.0005
"""The first and the last step of a climb, as parts of the range of an input."""
_RUNS_OF_A_SLOPE = 3
"""A gradient takes at least as long as so many runs: it computes both sides, and then the way back, which is longer."""
_PLACES = ("start", "uniform", "worst", "corner", "worst", "level")
"""Where climbs begin, in turn: on a starting input, anywhere in the ranges, near the worst point so far, with every
number at an end of its range, and with one number for all elements of an example."""


@dataclass
class Limits:
    """When the search ends: at this time, or after this number of runs."""

    until: float
    runs: int | None = None

    def reached(self, runs: int) -> bool:
        """Returns True if the time is over or all runs were made."""
        return time.monotonic() >= self.until or (self.runs is not None and runs >= self.runs)

    def leaves(self, seconds: float) -> bool:
        """Returns True if what takes so many seconds ends in time."""
        return time.monotonic() + seconds <= self.until


class Search:
    """Climbs, and keeps the greatest differences that were measured.

    Args:
        meter: measures points.
        space: where points lie.
        slopes: the directions to climb.
        points: the starting inputs that could be run.
        measured: the comparisons of the starting inputs.
        least: see `measuring.least_sizes`.
        limits: when to end.
    """

    def __init__(
        self,
        meter: Meter,
        space: Space,
        slopes: Slopes,
        points: Sequence[Point],
        measured: Sequence[Measured],
        least: Sequence[float],
        limits: Limits,
    ) -> None:
        self._meter, self._space, self._slopes, self._limits = meter, space, slopes, limits
        self._points, self._least = points, least
        sizes = np.sqrt([1.0 + sum(array.size for array in point.values()) for point in points])
        self._weights = sizes / sizes.sum()
        self._seconds_of_a_run = 0.0
        self.ascents = 0
        self.progress: list[tuple[int, float]] = []
        self._best: list[Found] = []
        self._failing: list[Found | None] = [None] * len(least)
        for number, (point, result) in enumerate(zip(points, measured, strict=True), 1):
            self._keep(point, result, number)
        self._starts = list(self._best)

    @property
    def outputs(self) -> tuple[WorstOutput, ...]:
        """The results for each output."""
        return tuple(
            WorstOutput(start, best, failing if best.row.passed else None)
            for start, best, failing in zip(self._starts, self._best, self._failing, strict=True)
        )

    def run(self) -> None:
        """Climbs until the time is over, all runs were made, or nothing can be searched or grow."""
        targets = [place for place, best in enumerate(self._best) if best.row.distance.elements]
        if not targets or not any(self._space.searched(point) for point in self._points):
            return
        for number in count():
            output, turn = targets[number % len(targets)], number // len(targets)
            if self._is_over() or not any(np.isfinite(self._best[place].figure) for place in targets):
                return
            if np.isfinite(self._best[output].figure):
                self.ascents += 1
                is_sharp = (turn + turn // len(_PLACES)) % 2 == 1  # each place has its turn with both
                self._climb(self._begin(turn, output), output, is_sharp)

    def _is_over(self) -> bool:
        return self._limits.reached(self._meter.runs + self._meter.failed.total())

    def _begin(self, turn: int, output: int) -> Point:
        """Returns the first point of a climb."""
        space, place = self._space, _PLACES[turn % len(_PLACES)]
        start = self._points[turn // len(_PLACES) % len(self._points)]
        shapes = self._points[int(space.random.choice(len(self._points), p=self._weights))]
        if place == "start":
            return space.inside(start)
        if place == "worst":
            best = self._best[output].inputs
            return space.changed(space.inside(best), space.searched(best))
        return {"uniform": space.uniform, "corner": space.corner, "level": space.level}[place](shapes)

    def _climb(self, point: Point, output: int, is_sharp: bool) -> None:
        """Moves floating numbers along their gradient, and keeps changes of other inputs that make the figure grow."""
        figure = self._measure(point, output)
        for step in range(_STEPS):
            if self._is_over():
                return
            share = _FIRST * (_LAST / _FIRST) ** (step / (_STEPS - 1))
            movable = [name for name in self._space.searched(point) if self._space.inputs[name].way is Way.GRADIENT]
            if movable and not self._limits.leaves(_RUNS_OF_A_SLOPE * self._seconds_of_a_run):
                return
            slope = self._slopes.at(point, movable, output, is_sharp) if movable else NO_SLOPE
            if slope.directions:
                point = self._space.moved(point, slope.directions, share)
                if slope.is_flat.any():
                    point = self._space.spread(point, slope.is_flat)
                figure = self._measure(point, output)
                if self._is_over():
                    return
            if not slope.directions or step % 4 == 3:
                still = [name for name in self._space.searched(point) if name not in slope.directions]
                changed = self._space.changed(point, still) if still else point
                reached = self._measure(changed, output) if still else figure
                if reached >= figure:
                    point, figure = changed, reached

    def _measure(self, point: Point, output: int) -> float:
        """Returns the figure of an output at a point; -1 if a side cannot be run on it."""
        began = time.monotonic()
        measured = self._meter.measured(point, WORST)
        self._seconds_of_a_run = time.monotonic() - began
        return -1.0 if measured is None else self._keep(point, measured, self._meter.runs)[output]

    def _keep(self, point: Point, measured: Measured, run: int) -> list[float]:
        """Keeps the greatest differences so far, and returns the figures."""
        figures = [
            figure_of(row, size, least)
            for row, size, least in zip(measured.rows, measured.sizes, self._least, strict=True)
        ]
        candidates = [
            Found(figure, replace(row, kind=WORST, call=None, where=""), point, run)
            for figure, row in zip(figures, measured.rows, strict=True)
        ]
        if not self._best:
            self._best = list(candidates)
        for place, candidate in enumerate(candidates):
            if candidate.figure > self._best[place].figure:
                self._best[place] = candidate
            failing = self._failing[place]
            if not candidate.row.passed and (failing is None or _need(candidate.row) > _need(failing.row)):
                self._failing[place] = candidate
        greatest = max(best.figure for best in self._best)
        if not self.progress or greatest > self.progress[-1][1]:
            self.progress.append((run, greatest))
        return figures


def _need(row: Comparison) -> float:
    return row.distance.needed_rtol
