"""Compares two traces of one program: what genuine TensorFlow computed, and what TensorFlow 2 computes now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf2bridge.formats.checkpoints.names import same_variable
from tf2bridge.proof.comparing.aligning import aligned
from tf2bridge.proof.comparing.by_modules import ByModules
from tf2bridge.proof.comparing.calls import Calls
from tf2bridge.proof.comparing.evidence import hollow_note, nothing_told
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import Pair, VariableRecord


@dataclass(frozen=True)
class Found:
    """The result of comparing two traces.

    Attributes:
        rows: One row for each tensor of the recorded trace, in the order of execution. So the first row that did not
            pass is the first divergence.
        notes: Remarks about what was compared and what was not, one line each.
        unproven: Why equal rows prove nothing; empty if they prove equality.
        pairs: The program's own calls, (now, recorded).
    """

    rows: list[Comparison]
    notes: tuple[str, ...] = ()
    unproven: str = ""
    pairs: tuple[Pair, ...] = ()


def compare(actual: Trace, recorded: Trace, tolerance: Tolerance = DEFAULT) -> Found:
    """Compares every fetched and fed tensor of every call, and every variable's first and last value.

    Args:
        actual: The trace of TensorFlow 2.
        recorded: The trace of genuine TensorFlow 1.x.
        tolerance: For feeds, fetches and variables. (A program may feed a value that it fetched, and an initial value
            may come from the checkpoint of an earlier session.) Rows also say whether values are equal bit for bit.
    """
    graphs = _graphs(actual, recorded)
    calls = Calls(actual, recorded, tolerance)
    pairs = aligned(actual, recorded)
    by_modules = ByModules(actual, recorded, graphs, calls)
    # A variable's first value is older than the results of the call after which it was seen.
    rows = [
        *_variables(actual, recorded, graphs, "initial", tolerance),
        *program_rows(pairs, calls),
        *by_modules.rows(),
        *_variables(actual, recorded, graphs, "final", tolerance),
    ]
    made = [row for _, row in sorted(rows, key=lambda placed: placed[0])]
    unproven = "" if recorded.program_calls else by_modules.unproven
    notes = (*_sampled(recorded), *by_modules.notes(), *calls.notes(), *hollow_note(made))
    return Found(made, notes, unproven or nothing_told(made) or _other_end(actual, recorded), tuple(pairs))


def why_cut(trace: Trace) -> str:
    """Returns why a trace is incomplete; empty if it is complete."""
    if not trace.ended:
        return f"the recorded program was killed after call {len(trace.calls) - 1}"
    if trace.stopped is None:
        return ""
    return f"the recording was stopped at its limit of {trace.stopped['reason']}, call {trace.stopped['call']}"


def _other_end(actual: Trace, recorded: Trace) -> str:
    """Returns how the final errors of the two programs differ; empty if they are of one kind, or one has no error.

    Only the kinds are compared, because not every trace keeps the text of `sys.exit`. The exit status shows the case
    that one program alone failed.
    """
    now, then = (str(trace.manifest["exit"]["error"] or "") if trace.ended else "" for trace in (actual, recorded))
    if not now or not then or now.partition(":")[0] == then.partition(":")[0]:
        return ""
    return f"the program ended with {now} now, and with {then} when it was recorded"


def _sampled(recorded: Trace) -> Iterator[str]:
    """Yields a note about the calls that `--every` left out of the recording."""
    if calls := sum(row["calls"] for row in recorded.manifest["left_out"]):
        yield f"{calls} calls of the program were left out of the recording (--every), and are not compared"


def all_pairs(actual: Trace, recorded: Trace, look: int | None = None) -> list[Pair]:
    """Returns the pairs of calls that are compared, (now, recorded): the program's own, and steps of modules.

    Args:
        actual: The trace of TensorFlow 2.
        recorded: The trace of genuine TensorFlow 1.x.
        look: The index of a recorded call that is included even if it only reads.
    """
    by_modules = ByModules(actual, recorded, _graphs(actual, recorded), Calls(actual, recorded, DEFAULT))
    looks = [pair for pair in by_modules.looks() if pair[1] is not None and pair[1].index == look]
    return [*aligned(actual, recorded), *by_modules.pairs(), *looks]


def program_rows(pairs: Sequence[Pair], calls: Calls) -> Iterator[tuple[int, Comparison]]:
    """Yields the rows of the program's own calls, each with the index of the recorded call, or of the one before."""
    index = 0
    for ours, theirs in pairs:
        call = theirs or ours
        assert call is not None
        assert call.position is not None
        index = theirs.index if theirs is not None else index
        yield from ((index, row) for row in calls.of_program(call.position, ours, theirs))


def _variables(
    actual: Trace, recorded: Trace, graphs: Sequence[tuple[int, int | None]], kind: str, tolerance: Tolerance
) -> Iterator[tuple[int, Comparison]]:
    """Yields the rows of first or last values, each with the index of the recorded call after which it was seen."""
    for number, ours_number in graphs:
        ours = actual.graphs[ours_number].variables if ours_number is not None else ()
        for theirs in recorded.graphs[number].variables:
            ref = theirs.initial if kind == "initial" else theirs.final
            if ref is None:
                continue
            expected = recorded.value(ref)
            match = _counterpart(theirs, ours)
            mine = None if match is None else (match.initial if kind == "initial" else match.final)
            if match is None or mine is None:
                apart = Distance(Verdict.MISSING, note="no such variable, or it got no value")
            else:
                apart = distance(actual.value(mine), expected, tolerance)
            renamed = match.name if match is not None and match.name != theirs.name else ""
            seen = theirs.initial_after_call if kind == "initial" else len(recorded.calls)
            yield seen or 0, Comparison(kind, None, theirs.name, renamed, "", expected.shape, apart)


def _graphs(actual: Trace, recorded: Trace) -> list[tuple[int, int | None]]:
    """Returns pairs of graph numbers: a recorded graph, and the graph at the same place now, or None.

    The order is that of the first calls. If exactly those graphs are missing now in which the program itself ran
    nothing, such as a graph that was restored only to be frozen, these graphs are left out. The calls that the program
    ran afterwards show what it made of the checkpoint.
    """
    run = {call.graph for call in recorded.program_calls}
    asked = [number for number in range(len(recorded.graphs)) if number in run]
    kept = asked if len(actual.graphs) == len(asked) else range(len(recorded.graphs))
    return [(number, place if place < len(actual.graphs) else None) for place, number in enumerate(kept)]


def _counterpart(theirs: VariableRecord, ours: tuple[VariableRecord, ...]) -> VariableRecord | None:
    """Returns the variable of the same name, else the only variable whose name is the later form of this name."""
    exact = [v for v in ours if v.name == theirs.name]
    renamed = [v for v in ours if same_variable(theirs.name, v.name)]
    candidates = exact or renamed
    return candidates[0] if len(candidates) == 1 else None
