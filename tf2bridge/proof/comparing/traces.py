"""Compares two traces of one program: what genuine TensorFlow computed, and what TensorFlow 2 computes now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tf2bridge.checkpoint.names import same_variable
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import DEFAULT, EXACT, Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, GraphRecord, Leaf, VariableRecord


def compare(actual: Trace, recorded: Trace, tolerance: Tolerance = DEFAULT) -> list[Comparison]:
    """Compares every fetched and fed tensor of every call, and every variable's first and last value.

    Args:
        actual: what was computed now.
        recorded: what genuine TensorFlow computed.
        tolerance: for feeds, fetches and variables; whether they are equal bit for bit is said in their rows. (A
            program may feed what it fetched, and an initial value may come from an earlier session's checkpoint.)

    Returns:
        One row for each tensor of `recorded`, in the order of the program's life, so that the first row that did
        not pass is the first divergence. Calls of TensorFlow's own helpers (Saver, Supervisor) are not compared.
    """
    rows = list(_variables(actual, recorded, "initial", tolerance))
    our_calls, their_calls = actual.program_calls, recorded.program_calls
    if recorded.manifest["left_out"]:
        kept = {call.position for call in their_calls}
        our_calls = tuple(call for call in our_calls if call.position in kept)
    elif recorded.stopped or not recorded.ended:
        our_calls = our_calls[: len(their_calls)]
    for position, (ours, theirs) in enumerate(zip_longest(our_calls, their_calls)):
        rows.extend(_call(actual, recorded, position, ours, theirs, tolerance))
    rows.extend(_variables(actual, recorded, "final", tolerance))
    return rows


def _variables(actual: Trace, recorded: Trace, kind: str, tolerance: Tolerance) -> Iterator[Comparison]:
    for number, graph in enumerate(_compared(actual, recorded)):
        ours = actual.graphs[number].variables if number < len(actual.graphs) else ()
        for theirs in graph.variables:
            ref = theirs.initial if kind == "initial" else theirs.final
            if ref is None:
                continue
            expected = recorded.value(ref)
            match = _counterpart(theirs, ours)
            mine = None if match is None else (match.initial if kind == "initial" else match.final)
            if match is None or mine is None:
                found = Distance(Verdict.MISSING, note="no such variable, or it got no value")
            else:
                found = distance(actual.value(mine), expected, tolerance)
            renamed = match.name if match is not None and match.name != theirs.name else ""
            yield Comparison(kind, None, theirs.name, renamed, "", expected.shape, found)


def _compared(actual: Trace, recorded: Trace) -> Sequence[GraphRecord]:
    """The recorded graphs, in the order of their first call.

    Where just those are gone in which the program itself ran nothing, as one that was restored to be frozen, the others
    are: what was made of a checkpoint shows in what the program then ran.
    """
    run = {call.graph for call in recorded.program_calls}
    asked = [graph for number, graph in enumerate(recorded.graphs) if number in run]
    return asked if len(actual.graphs) == len(asked) else recorded.graphs


def _counterpart(theirs: VariableRecord, ours: tuple[VariableRecord, ...]) -> VariableRecord | None:
    """The variable of the same name, else the only one whose name is this one's in a later release."""
    exact = [v for v in ours if v.name == theirs.name]
    renamed = [v for v in ours if same_variable(theirs.name, v.name)]
    found = exact or renamed
    return found[0] if len(found) == 1 else None


def _call(
    actual: Trace,
    recorded: Trace,
    position: int,
    ours: CallRecord | None,
    theirs: CallRecord | None,
    tolerance: Tolerance,
) -> Iterator[Comparison]:
    if theirs is None or ours is None:
        present = theirs or ours
        assert present is not None
        note = "this call was not made" if ours is None else "this call is not in the recorded trace"
        yield _odd_call(present, position, note, Verdict.MISSING)
        return
    if ours.error != theirs.error and (ours.error is None or theirs.error is None):
        note = f"error {ours.error!r}, recorded {theirs.error!r}"
        yield _odd_call(theirs, position, note, Verdict.DIFFERENT)
        return
    if len(ours.fetches) != len(theirs.fetches):
        note = f"fetches {len(ours.fetches)} tensors, recorded {len(theirs.fetches)}"
        yield _odd_call(theirs, position, note, Verdict.MISSING)
        return
    if len(ours.feeds) != len(theirs.feeds):
        note = f"feeds {len(ours.feeds)} tensors, recorded {len(theirs.feeds)}"
        yield _odd_call(theirs, position, note, Verdict.MISSING)
        return
    for mine, other in _paired_feeds(actual, recorded, ours, theirs):
        yield _leaf("feed", actual, recorded, position, theirs, mine, other, tolerance)
    for mine, other in zip(ours.fetches, theirs.fetches, strict=True):
        if other.value is not None or mine.value is not None:
            yield _leaf("fetch", actual, recorded, position, theirs, mine, other, tolerance)


def _odd_call(call: CallRecord, position: int, note: str, verdict: Verdict) -> Comparison:
    name = ", ".join(leaf.name for leaf in call.fetches[:3])
    return Comparison("fetch", position, name, "", call.where, (), Distance(verdict, note=note))


def _paired_feeds(actual: Trace, recorded: Trace, ours: CallRecord, theirs: CallRecord) -> Iterator[tuple[Leaf, Leaf]]:
    """Pairs feeds by name; where names changed between releases, by equal values, then by the order of their names."""
    mine = {leaf.name: leaf for leaf in ours.feeds}
    if mine.keys() == {leaf.name for leaf in theirs.feeds}:
        yield from ((mine[leaf.name], leaf) for leaf in theirs.feeds)
        return
    left = sorted(ours.feeds, key=lambda leaf: leaf.name)
    unequal = []
    for other in sorted(theirs.feeds, key=lambda leaf: leaf.name):
        equal = next((leaf for leaf in left if _is_equal(actual, recorded, leaf, other)), None)
        if equal is None:
            unequal.append(other)
        else:
            left.remove(equal)
            yield equal, other
    yield from zip(left, unequal, strict=True)


def _is_equal(actual: Trace, recorded: Trace, mine: Leaf, other: Leaf) -> bool:
    if mine.value is None or other.value is None:
        return False
    found = distance(actual.value(mine.value), recorded.value(other.value), EXACT)
    return found.verdict is Verdict.EQUAL


def _leaf(
    kind: str,
    actual: Trace,
    recorded: Trace,
    position: int,
    call: CallRecord,
    mine: Leaf,
    other: Leaf,
    tolerance: Tolerance,
) -> Comparison:
    expected = recorded.value(other.value) if other.value is not None else None
    if expected is None or mine.value is None:
        found = Distance(Verdict.MISSING, note=f"no {kind} stands against it")
    else:
        found = distance(actual.value(mine.value), expected, tolerance)
    renamed = mine.name if mine.name != other.name else ""
    shape = expected.shape if expected is not None else ()
    return Comparison(kind, position, other.name, renamed, call.where, shape, found)
