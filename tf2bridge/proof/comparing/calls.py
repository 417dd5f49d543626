"""Compares a call of a program with the same call of a trace, tensor by tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.proof.comparing.aligning import by_names, managed, namesake
from tf2bridge.proof.comparing.defaults import Defaults, is_default
from tf2bridge.proof.comparing.inner import Inner
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.comparing.unordered import Unordered
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import EXACT, Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf

_NAMED = 3
_CUT_SHORT = ("CancelledError", "AbortedError", "DeadlineExceededError", "UnavailableError")
"""Which of these a call ends with is up to threads and to the network."""


class Calls:
    """Compares calls of two traces, and counts what cannot be compared for `notes`.

    Args:
        actual: what was computed now.
        recorded: what genuine TensorFlow computed.
        tolerance: for feeds, fetches and inner tensors.
    """

    def __init__(self, actual: Trace, recorded: Trace, tolerance: Tolerance) -> None:
        self._actual, self._recorded, self._tolerance = actual, recorded, tolerance
        self._unordered = Unordered(recorded)
        self._inner = Inner(actual, recorded)
        self._defaults = Defaults(recorded)
        self._read_beside: Counter[tuple[str, str]] = Counter()
        self._unpaired: Counter[str] = Counter()
        self._fetched_alone: Counter[str] = Counter()
        self._unrecorded: Counter[str] = Counter()
        self._managed = managed(recorded)
        self._fetched = [
            {modern(leaf.name) for call in trace.program_calls for leaf in call.fetches} for trace in (actual, recorded)
        ]

    def of_program(self, position: int, ours: CallRecord | None, theirs: CallRecord | None) -> Iterator[Comparison]:
        """Yields the rows of a call that the program itself made; None for a side that did not make it.

        position: the position of the recorded call; if there is none, that of the call now.
        """
        if theirs is None or ours is None:
            yield odd_call(ours, theirs, position)
        elif _failed_otherwise(ours, theirs):
            yield _other_error(ours, theirs, position)
        elif self._by_hooks(ours, theirs):
            yield from self._before_fetches(position, ours, theirs)
            yield from self._fetches_by_name(position, ours, theirs)
        else:
            yield from self._before_fetches(position, ours, theirs)
            yield from self._fetches(position, ours, theirs)

    def of_modules(self, ours: CallRecord, theirs: CallRecord, is_look: bool = False) -> Iterator[Comparison]:
        """Yields the rows of a call that a module of TensorFlow made on both sides; its fetches are paired by name.

        is_look: whether the call changes nothing. Then names may have further scopes on one side.
        """
        if _failed_otherwise(ours, theirs):
            yield _other_error(ours, theirs, theirs.index, theirs.via)
            return
        mine = {modern(leaf.name): leaf for leaf in ours.feeds}
        for other in theirs.feeds:
            if modern(other.name) in mine:
                yield from self._leaf("feed", theirs.index, theirs, mine[modern(other.name)], other)
        yield from self._inner_rows(theirs.index, ours, theirs)
        yield from self._fetches_by_name(theirs.index, ours, theirs, is_look)

    def notes(self) -> Iterator[str]:
        """Yields what was not compared, and why, one line each."""
        for (name, variable), times in self._read_beside.items():
            yield (
                f"{name} is read while the same call changes {variable}, and nothing says which comes first, nor did "
                f"it in genuine TensorFlow: its values in {times} calls, which differ, are not counted"
            )
        if self._inner.note():
            yield self._inner.note()
        if self._fetched_alone:
            yield f"{len(self._fetched_alone)} tensors are fetched here alone: {_text(self._fetched_alone)}"
        if self._unrecorded:
            yield (
                f"{len(self._unrecorded)} fetched tensors are not compared, since no recorder could keep their values: "
                f"{_text(self._unrecorded)}"
            )
        if self._unpaired:
            yield (
                f"{len(self._unpaired)} tensors were fetched on one side only, by TensorFlow's hooks or modules, and "
                f"are not compared there: {_text(self._unpaired)}"
            )

    def _by_hooks(self, ours: CallRecord, theirs: CallRecord) -> bool:
        """Returns True if two calls of a MonitoredSession differ only in the fetches of hooks, whose time threads
        decide.

        Each tensor that one side lacks must be fetched in another call of that side.
        """
        if (theirs.graph, theirs.session) not in self._managed:
            return False
        names = [Counter(modern(leaf.name) for leaf in call.fetches) for call in (ours, theirs)]
        if names[0] == names[1]:
            return False
        return (
            not (names[0] - names[1]).keys() - self._fetched[1] and not (names[1] - names[0]).keys() - self._fetched[0]
        )

    def _before_fetches(self, position: int, ours: CallRecord, theirs: CallRecord) -> Iterator[Comparison]:
        pairs, left, unfed = self._paired_feeds(ours, theirs)
        for mine, other in pairs:
            yield from self._leaf("feed", position, theirs, mine, other)
        left = self._without_defaults(left, theirs)
        for alone, note in [(leaf, "it is fed here alone") for leaf in left] + [
            (leaf, "it is not fed") for leaf in unfed
        ]:
            missing = Distance(Verdict.MISSING, note=note)
            yield Comparison("feed", position, alone.name, "", theirs.where, (), missing, theirs.via)
        yield from self._inner_rows(position, ours, theirs)

    def _without_defaults(self, left: Sequence[Leaf], theirs: CallRecord) -> list[Leaf]:
        """Returns the feeds of this side alone, without those that give a recorded placeholder its default."""
        unfed = self._defaults.unfed(theirs) if left else []
        kept: list[Leaf] = []
        for leaf in left:
            value = self._actual.value(leaf.value) if leaf.value is not None else None
            equal = [default for default in unfed if value is not None and is_default(value, default)]
            if equal:
                unfed = [default for default in unfed if default is not equal[0]]
            else:
                kept.append(leaf)
        return kept

    def _inner_rows(self, place: int, ours: CallRecord, theirs: CallRecord) -> Iterator[Comparison]:
        for mine, other in self._inner.pairs(ours, theirs):
            yield from self._leaf("intermediate", place, theirs, mine, other)

    def _fetches_by_name(
        self, place: int, ours: CallRecord, theirs: CallRecord, is_scoped: bool = False
    ) -> Iterator[Comparison]:
        mine, recorded = (_with_values(call.fetches) for call in (ours, theirs))
        alone = mine.keys() - recorded.keys() if is_scoped else ()
        mine |= {name: mine.pop(scoped) for name in recorded.keys() - mine.keys() if (scoped := namesake(name, alone))}
        for name, other in recorded.items():
            if name in mine:
                yield from self._leaf("fetch", place, theirs, mine[name], other)
        left = [leaf for name, leaf in mine.items() if name not in recorded]
        gone = [leaf for name, leaf in recorded.items() if name not in mine]
        if theirs.kind == "callable" and self._are_alike(left, gone):
            for leaf, other in zip(left, gone, strict=True):
                yield from self._leaf("fetch", place, theirs, leaf, other)
        else:
            self._unpaired.update(leaf.name for leaf in (*left, *gone))

    def _are_alike(self, left: Sequence[Leaf], gone: Sequence[Leaf]) -> bool:
        """Returns True if fetches have the same types and shapes, so that they are the same tensors under other names.

        This holds for the fetches of Keras, and not for those that hooks add.
        """
        sides = ((self._actual, left), (self._recorded, gone))
        ours_values, theirs_values = ([trace.value(leaf.value or 0) for leaf in leaves] for trace, leaves in sides)
        return [(value.dtype, value.shape) for value in ours_values] == [
            (value.dtype, value.shape) for value in theirs_values
        ]

    def _fetches(self, position: int, ours: CallRecord, theirs: CallRecord) -> Iterator[Comparison]:
        """Yields the rows of the fetches of a program's call: paired by names, the rest by order."""
        pairs, left, gone = by_names(ours.fetches, theirs.fetches)
        if len(left) == len(gone):
            pairs |= {other: mine for mine, other in zip(left, gone, strict=True)}
        for place, other in enumerate(theirs.fetches):
            mine = ours.fetches[pairs[place]] if place in pairs else Leaf(other.name, None)
            if other.value is not None or mine.value is not None:
                yield from self._leaf("fetch", position, theirs, mine, other)
            elif ":" in other.name and theirs.error is None and theirs.kind == "run":
                self._unrecorded[other.name] += 1
            elif place not in pairs:
                missing = Distance(Verdict.MISSING, note="this operation is not run")
                yield Comparison("fetch", position, other.name, "", theirs.where, (), missing, theirs.via)
        if len(left) > len(gone):
            self._fetched_alone.update(ours.fetches[place].name for place in left)

    def _paired_feeds(
        self, ours: CallRecord, theirs: CallRecord
    ) -> tuple[list[tuple[Leaf, Leaf]], list[Leaf], list[Leaf]]:
        """Pairs feeds by name; feeds of other names by equal values, then by the order of names.

        Returns:
            The pairs; the feeds of one side alone: those now, and the recorded ones.
        """
        named, *alone = by_names(ours.feeds, theirs.feeds)
        pairs = [(ours.feeds[mine], theirs.feeds[other]) for other, mine in sorted(named.items())]
        left, unequal = sorted((ours.feeds[place] for place in alone[0]), key=lambda leaf: leaf.name), []
        for other in sorted((theirs.feeds[place] for place in alone[1]), key=lambda leaf: leaf.name):
            equal = next((leaf for leaf in left if self._is_equal(leaf, other)), None)
            if equal is None:
                unequal.append(other)
            else:
                left.remove(equal)
                pairs.append((equal, other))
        if len(left) != len(unequal):
            return pairs, left, unequal
        return [*pairs, *zip(left, unequal, strict=True)], [], []

    def _is_equal(self, mine: Leaf, other: Leaf) -> bool:
        if mine.value is None or other.value is None:
            return False
        apart = distance(self._actual.value(mine.value), self._recorded.value(other.value), EXACT)
        return apart.verdict is Verdict.EQUAL

    def _leaf(self, kind: str, place: int, call: CallRecord, mine: Leaf, other: Leaf) -> Iterator[Comparison]:
        expected = self._recorded.value(other.value) if other.value is not None else None
        if expected is None or mine.value is None:
            apart = Distance(Verdict.MISSING, note=f"no {kind} stands against it")
        else:
            apart = distance(self._actual.value(mine.value), expected, self._tolerance)
            variable = "" if apart.verdict.passed or kind == "feed" else self._unordered.variable(call, other.name)
            if variable:
                self._read_beside[other.name, variable] += 1
                return
        renamed = mine.name if mine.name != other.name else ""
        shape = expected.shape if expected is not None else ()
        yield Comparison(kind, place, other.name, renamed, call.where, shape, apart, call.via)


def odd_call(ours: CallRecord | None, theirs: CallRecord | None, place: int, via: str = "") -> Comparison:
    """Returns the row of a call that only one side made."""
    present = theirs or ours
    assert present is not None
    note = "this call was not made" if ours is None else "this call is not in the recorded trace"
    return _odd(present, place, Distance(Verdict.MISSING, note=note), via)


def _odd(call: CallRecord, place: int, missing: Distance, via: str = "") -> Comparison:
    return Comparison(
        "fetch", place, ", ".join(leaf.name for leaf in call.fetches[:_NAMED]), "", call.where, (), missing, via
    )


def _failed_otherwise(ours: CallRecord, theirs: CallRecord) -> bool:
    """Returns True if only one call ended with an error, or both ended with errors of different kinds."""
    return _kind(ours.error) != _kind(theirs.error)


def _kind(error: str | None) -> str | None:
    """Returns the class of a recorded error, "OutOfRangeError: ...". All errors of cancelled calls are one kind."""
    kind = error.partition(":")[0] if error is not None else None
    return "cut short" if kind in _CUT_SHORT else kind


def _other_error(ours: CallRecord, theirs: CallRecord, place: int, via: str = "") -> Comparison:
    note = f"error {ours.error!r}, recorded {theirs.error!r}"
    return _odd(theirs, place, Distance(Verdict.DIFFERENT, note=note), via)


def _with_values(leaves: Iterable[Leaf]) -> dict[str, Leaf]:
    """Modern name -> fetch with a value; a tensor that was fetched twice has one value."""
    return {modern(leaf.name): leaf for leaf in leaves if leaf.value is not None}


def _text(names: Iterable[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:_NAMED]) + (f" and {len(shown) - _NAMED} more" if len(shown) > _NAMED else "")
