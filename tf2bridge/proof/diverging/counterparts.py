"""Which point of the recorded graph is which of the new one: those whose values in the call agree, and why they may.

A value that hardly another tensor has, tells by itself, so that renamed, reordered, inserted and dropped operations
do no harm; one that many have, as a zero, must stand at the same place: the same name, or the same operation of the
same points.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tf2bridge.checkpoint.names import modern
from tf2bridge.graph.nodes import node_of
from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.lockstep import agree
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.replaying.playing import Array

_NEAR = 1e-3
"""How far, relatively, two tensors' lengths may be apart before they are held against each other."""

_BY_VALUE = 0.1
"""What part of the tolerance two values may use that are one by nothing else than being alike."""

Values = Mapping[str, "Array | None"]


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
    """Returns which points agree. known: point there -> point here, of feeds and variables."""
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
        self._theirs_named = {_name(point): point for point in self._theirs.points}
        for point in self._ours.points:
            self._named.setdefault(_name(point), []).append(point)
            value = self._other.get(point)
            if value is not None and point not in self._ours.constant and is_telling(value):
                self._sized.setdefault(value.shape, []).append((_length(value), point))

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
        standing = (each for each in candidates if self._agrees(point, each))
        return next(itertools.chain(standing, self._of_that_value(point)), None)

    def _of_that_value(self, point: str) -> list[str]:
        """Points of the same value, where that says something.

        Of one whose namesake does the same and gives another value, nothing but every bit says that it is another.
        """
        value = self._values.get(point)
        if value is None or not is_telling(value):
            return []
        length = _length(value)
        found = self._sized.get(value.shape, ())
        near = [each for other, each in found if abs(other - length) <= _NEAR * length]
        return [each for each in near if self._is_one(point, each)]

    def _is_one(self, point: str, other: str) -> bool:
        value, ours = self._values[point], self._other[other]
        assert value is not None
        assert ours is not None
        apart = distance(ours, value, self._tolerance)
        named = [each for each in self._of_that_name(point) if each != other]
        here = self._theirs_named.get(_name(other), point)
        if value.size == 1 and named:
            return False
        if named or (here != point and self._stands_alike(here, other)):
            return apart.verdict is Verdict.EQUAL
        if not apart.verdict.passed:
            return False
        return apart.max_rel <= _BY_VALUE * apart.rtol

    def _of_that_name(self, point: str) -> list[str]:
        found = self._named.get(_name(point), [])
        return [each for each in found if not self._is_source(self._ours, each) and self._stands_alike(point, each)]

    def _stands_alike(self, point: str, other: str) -> bool:
        return same(self._theirs.op(point), self._ours.op(other))

    def _of_that_place(self, point: str) -> list[str]:
        """What the same operation gives of the same points; sizes and the like need not be the same."""
        matched = [each for each in self._theirs.sources(point) if each in self._here]
        telling = [each for each in matched if self._is_telling(each)] or matched
        if not telling:
            return []
        sources = {self._here[each] for each in telling}
        consumers = self._ours.consumers.get(self._here[telling[0]], ())
        return [
            each for each in consumers if self._stands_alike(point, each) and sources <= set(self._ours.sources(each))
        ]

    def _is_telling(self, point: str) -> bool:
        value = self._values.get(point)
        return value is not None and is_telling(value)

    def _is_source(self, structure: Structure, point: str) -> bool:
        """Whether it is given: fed, or a variable's value before the call."""
        return point in structure.fed or structure.is_variable(point)

    def _agrees(self, point: str, other: str) -> bool:
        return agree(self._other.get(other), self._values.get(point), self._tolerance)


def is_telling(value: Array) -> bool:
    """Whether hardly another tensor has this value by chance: not a small whole number, nor one number repeated."""
    if value.dtype.kind not in "fcV" or not value.size:
        return value.dtype.kind in "iu" and len(np.unique(value)) > 8
    flat = np.asarray(value, np.float64 if value.dtype.kind != "c" else np.complex128).ravel()
    if flat.size == 1:
        scaled = abs(complex(flat[0]).real) * 1024
        return bool(np.isfinite(scaled) and scaled != np.floor(scaled) and scaled > 0)
    return bool(np.isfinite(flat).all() and np.abs(flat - flat[0]).max() > 1e-3 * np.abs(flat).max() > 0)


def _length(value: Array) -> float:
    return float(np.linalg.norm(np.asarray(value, np.complex128 if value.dtype.kind == "c" else np.float64)))


def _name(point: str) -> str:
    return f"{modern(node_of(point))}:{point.rpartition(':')[2]}".lower()
