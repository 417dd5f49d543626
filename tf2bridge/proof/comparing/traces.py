"""Compares two traces of one program: what genuine TensorFlow computed, and what TensorFlow 2 computes now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf2bridge.checkpoint.names import same_variable
from tf2bridge.proof.comparing.by_modules import ByModules
from tf2bridge.proof.comparing.calls import Calls
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import VariableRecord


@dataclass(frozen=True)
class Found:
    """What came of comparing two traces.

    Attributes:
        rows: one for each tensor of the recorded trace, in the order of the program's life, so that the first row that
            did not pass is the first divergence.
        notes: what was compared and what not, where that is not plain, one line each.
        unproven: why equal rows prove nothing; empty where they do.
    """

    rows: list[Comparison]
    notes: tuple[str, ...] = ()
    unproven: str = ""


def compare(actual: Trace, recorded: Trace, tolerance: Tolerance = DEFAULT) -> Found:
    """Compares every fetched and fed tensor of every call, and every variable's first and last value.

    Args:
        actual: what was computed now.
        recorded: what genuine TensorFlow computed.
        tolerance: for feeds, fetches and variables; whether they are equal bit for bit is said in their rows. (A
            program may feed what it fetched, and an initial value may come from an earlier session's checkpoint.)
    """
    graphs = _graphs(actual, recorded)
    calls = Calls(actual, recorded, tolerance)
    by_modules = ByModules(actual, recorded, graphs, calls)
    # The first value of a variable is older than what the call gave after which it was seen.
    rows = [
        *_variables(actual, recorded, graphs, "initial", tolerance),
        *_program_rows(actual, recorded, calls),
        *by_modules.rows(),
        *_variables(actual, recorded, graphs, "final", tolerance),
    ]
    made = [row for _, row in sorted(rows, key=lambda each: each[0])]
    unproven = "" if recorded.program_calls else by_modules.unproven
    return Found(made, (*by_modules.notes(), *calls.notes()), unproven)


def _program_rows(actual: Trace, recorded: Trace, calls: Calls) -> Iterator[tuple[int, Comparison]]:
    """The rows of the program's own calls, each with the index of its recorded call; beyond all if it has none."""
    ours_by_position = {call.position: call for call in actual.program_calls}
    theirs_by_position = {call.position: call for call in recorded.program_calls}
    is_part = bool(recorded.manifest["left_out"] or recorded.stopped) or not recorded.ended
    positions = theirs_by_position if is_part else {**theirs_by_position, **ours_by_position}
    for position in sorted(place for place in positions if place is not None):
        theirs = theirs_by_position.get(position)
        index = theirs.index if theirs is not None else len(recorded.calls)
        found = calls.of_program(position, ours_by_position.get(position), theirs)
        yield from ((index, row) for row in found)


def _variables(
    actual: Trace, recorded: Trace, graphs: Sequence[tuple[int, int | None]], kind: str, tolerance: Tolerance
) -> Iterator[tuple[int, Comparison]]:
    """The rows of first or last values, each with the index of the recorded call after which it was seen."""
    for number, here in graphs:
        ours = actual.graphs[here].variables if here is not None else ()
        for theirs in recorded.graphs[number].variables:
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
            seen = theirs.initial_after_call if kind == "initial" else len(recorded.calls)
            yield seen or 0, Comparison(kind, None, theirs.name, renamed, "", expected.shape, found)


def _graphs(actual: Trace, recorded: Trace) -> list[tuple[int, int | None]]:
    """The recorded graphs, in the order of their first call, each with the one of the same place now, if there is one.

    Where just those are gone in which the program itself ran nothing, as one that was restored to be frozen, the others
    are: what was made of a checkpoint shows in what the program then ran.
    """
    run = {call.graph for call in recorded.program_calls}
    asked = [number for number in range(len(recorded.graphs)) if number in run]
    kept = asked if len(actual.graphs) == len(asked) else range(len(recorded.graphs))
    return [(number, place if place < len(actual.graphs) else None) for place, number in enumerate(kept)]


def _counterpart(theirs: VariableRecord, ours: tuple[VariableRecord, ...]) -> VariableRecord | None:
    """The variable of the same name, else the only one whose name is this one's in a later release."""
    exact = [v for v in ours if v.name == theirs.name]
    renamed = [v for v in ours if same_variable(theirs.name, v.name)]
    found = exact or renamed
    return found[0] if len(found) == 1 else None
