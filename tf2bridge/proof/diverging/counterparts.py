"""Pairs the points of the recorded graph with points of the new graph, by their values in the call.

A rare value is enough for a pair, so that operations may be renamed, reordered, inserted and dropped. Points with a
common value, such as zero, must also have the same place: the same name, or the same operation on the same points.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from tf2bridge.formats.dtypes import tensorflow_type
from tf2bridge.proof.diverging.alike import loose_name, same
from tf2bridge.proof.diverging.lockstep import agree
from tf2bridge.proof.diverging.spooled_values import Kept, Values
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict

_NEAR = 1e-3
"""Relative distance of the lengths of two tensors beyond which they are not compared further."""

_BY_VALUE = 0.1
"""Part of the tolerance that two values may use if only their likeness makes them a pair."""


@dataclass(frozen=True)
class Counterparts:
    """`here`: point there -> point here, for all that agree; `there`: the points here that agree with one there."""

    here: Mapping[str, str]
    there: frozenset[str]


def counterparts(
    theirs: tuple[Structure, Values],
    ours: tuple[Structure, Values],
    known: Mapping[str, str],
    tolerance: Tolerance,
) -> Counterparts:
    """Returns the points that agree. `known`: recorded point -> new point, for feeds and variables."""
    return _Matching(theirs, ours, known, tolerance).found()


class _Matching:
    def __init__(
        self,
        theirs: tuple[Structure, Values],
        ours: tuple[Structure, Values],
        known: Mapping[str, str],
        tolerance: Tolerance,
    ) -> None:
        self._theirs, self._values = theirs
        self._ours, self._other = ours
        self._tolerance = tolerance
        self._known = known
        self._here: dict[str, str] = {}
        self._there: set[str] = set()
        self._named: dict[str, list[str]] = {}
        self._sized: dict[tuple[int, ...], list[tuple[float, str]]] = {}
        self._theirs_named = {loose_name(point): point for point in self._theirs.points}
        for point in self._ours.points:
            self._named.setdefault(loose_name(point), []).append(point)
            kept = self._other.kept(point)
            if kept is not None and kept.telling and point not in self._ours.constant:
                self._sized.setdefault(kept.shape, []).append((kept.length, point))

    def found(self) -> Counterparts:
        for point in self._theirs.points:
            match = self._match(point)
            if match is not None:
                self._here[point] = match
                self._there.add(match)
        for point in self._theirs.points:  # several points may have the same value
            self._there.update(self._of_that_value(point))
        return Counterparts(self._here, frozenset(self._there))

    def _match(self, point: str) -> str | None:
        if point in self._known:
            return self._known[point] if self._agrees(point, self._known[point]) else None
        if self._is_source(self._theirs, point):
            return None
        candidates = [*self._of_that_name(point), *self._of_that_place(point)]
        standing = (candidate for candidate in candidates if self._agrees(point, candidate))
        return next(itertools.chain(standing, self._of_that_value(point)), None)

    def _of_that_value(self, point: str) -> list[str]:
        """Returns the points with the same value, if the value is rare enough.

        If a namesake of the point has the same op and another value, only values that are equal bit for bit count, and
        values of inputs do not.
        """
        kept = self._values.kept(point)
        if kept is None or not kept.telling:
            return []
        sized = self._sized.get(kept.shape, ())
        near = [point_here for length, point_here in sized if abs(length - kept.length) <= _NEAR * kept.length]
        return [point_here for point_here in near if self._is_one(point, point_here)]

    def _is_one(self, point: str, other: str) -> bool:
        kept, mine = self._values.kept(point), self._other.kept(other)
        assert kept is not None
        assert mine is not None
        named = [namesake for namesake in self._of_that_name(point) if namesake != other]
        if named and (len(kept.sample) == 1 or other in self._given_to(point)):
            return False
        if self._is_same(kept, mine):
            return True
        rtol, _ = self._tolerance.of(tensorflow_type(kept.dtype), tensorflow_type(mine.dtype))
        if kept.unlike(mine, _BY_VALUE * rtol):
            return False
        apart = distance(mine.read(), kept.read(), self._tolerance)
        namesake = self._theirs_named.get(loose_name(other), point)
        if named or (namesake != point and self._stands_alike(namesake, other)):
            return apart.verdict is Verdict.EQUAL
        if not apart.verdict.passed:
            return False
        return apart.max_rel <= _BY_VALUE * apart.rtol

    def _given_to(self, point: str) -> set[str | None]:
        """Returns the counterparts of a point's inputs.

        A Select, a Maximum or a clipping may return one of them unchanged.
        """
        return {self._here.get(source) for source in self._theirs.sources(point)}

    def _of_that_name(self, point: str) -> list[str]:
        namesakes = self._named.get(loose_name(point), [])
        return [
            namesake
            for namesake in namesakes
            if not self._is_source(self._ours, namesake) and self._stands_alike(point, namesake)
        ]

    def _stands_alike(self, point: str, other: str) -> bool:
        return same(self._theirs.op(point), self._ours.op(other))

    def _of_that_place(self, point: str) -> list[str]:
        """Returns the points that the same operation computes from the same points. Small numbers may differ."""
        matched = [source for source in self._theirs.sources(point) if source in self._here]
        telling = [source for source in matched if self._is_telling(source)] or matched
        if not telling:
            return []
        sources = {self._here[source] for source in telling}
        consumers = self._ours.consumers.get(self._here[telling[0]], ())
        return [
            consumer
            for consumer in consumers
            if self._stands_alike(point, consumer) and sources <= set(self._ours.sources(consumer))
        ]

    def _is_telling(self, point: str) -> bool:
        kept = self._values.kept(point)
        return kept is not None and kept.telling

    def _is_source(self, structure: Structure, point: str) -> bool:
        """Returns True if a point is fed, or is a variable's value before the call."""
        return point in structure.fed or structure.is_variable(point)

    def _agrees(self, point: str, other: str) -> bool:
        kept, mine = self._values.kept(point), self._other.kept(other)
        if kept is None or mine is None:
            return False
        return self._is_same(kept, mine) or agree(mine.read(), kept.read(), self._tolerance)

    def _is_same(self, kept: Kept, mine: Kept) -> bool:
        """Returns True if both are equal bit for bit, without reading them."""
        return kept is mine and self._tolerance.nan_equal
