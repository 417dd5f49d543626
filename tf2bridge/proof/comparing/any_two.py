"""`compare`: any two of trace, checkpoint, graph, model and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from tf2bridge import kernels, systems
from tf2bridge.named_code import names_code
from tf2bridge.proof.comparing import over_steps, stored_rows, two_traces
from tf2bridge.proof.comparing.evidence import hollow_note, nothing_told
from tf2bridge.proof.comparing.matching import BY_NAME, BY_PLAN, MATCHES, Matching
from tf2bridge.proof.comparing.opening import is_path, side_of
from tf2bridge.proof.comparing.outcome import Compared
from tf2bridge.proof.comparing.refusals import NothingInCommonError
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.comparing.sides import Side
from tf2bridge.proof.comparing.stored_rows import Chosen
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.worst import options


def compare(
    a: Any,
    b: Any,
    *,
    inputs: Any = None,
    names: Sequence[str] | None = None,
    plan: Any = None,
    match: str = "",
    tolerance: Tolerance = DEFAULT,
    subset: bool = False,
    initial: bool = False,
    every_tensor: bool = False,
    starts: Any = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> Compared:
    """Compares B with A. A is what is expected: the old or the recorded side.

    Args:
        a, b: see `comparing.opening.side_of`. Two directories of checkpoints of several steps are compared step by
            step, unless there are inputs; otherwise a directory is its newest checkpoint.
        inputs: None to compare stored values; else the inputs on which both are run: {name: array}, an .npz file, a
            trace, "random:SEED", or "worst:SECONDS" to search for this time the inputs on which they differ most.
        names: patterns of the tensors to compare, on either side; none for all tensors.
        plan: a `Plan` or its file. It computes from the tensors of A what B should hold.
        match: "name", "plan" or "position".
        tolerance: the tolerances of each type.
        subset: whether tensors that only one side has are no difference.
        initial: whether the first values of a trace's variables are compared, not the last ones.
        every_tensor: whether all tensors of one name are compared when both are run, not the outputs alone.
        starts: with "worst:SECONDS", the inputs to start from, as `inputs`; None for "random:0".
        ranges: with "worst:SECONDS", input -> its lowest and highest number; see `worst_inputs`.

    Raises:
        NotComparableError: a side is nothing that can be compared.
        NothingInCommonError: the sides share nothing.
        NoSuchTensorError: a pattern matches no tensor.
        InputsError: the inputs do not fit.
        WorstError: the search is asked for in a way that cannot be followed.
        RangeError: a range does not fit.
        PlanMisfitError: the plan was made for other sides.
    """
    match = match or (BY_PLAN if plan is not None else BY_NAME)
    if match not in MATCHES:
        raise ValueError(f"match is one of {', '.join(MATCHES)}, not {match!r}")
    is_searched = options.is_asked_for(inputs, starts, ranges, every_tensor)
    chosen = Chosen(tuple(names or ()), subset)
    many = over_steps.several(a), over_steps.several(b)
    if inputs is None and all(many):
        given = {"names": names, "plan": plan, "match": match, "tolerance": tolerance, "subset": subset}
        return over_steps.compared((a, many[0]), (b, many[1]), partial(compare, **given), subset)
    with ExitStack() as opened:
        side_a = _opened(opened, a, initial)
        side_b = _opened(opened, b, initial)
        if is_searched:
            return _searched(side_a, side_b, inputs, starts, ranges or {}, chosen, match, tolerance)
        if inputs is not None:
            from tf2bridge.proof.comparing import runs

            rows, matching, notes = runs.compared(side_a, side_b, inputs, chosen, match, tolerance, every_tensor)
            return _result(side_a, side_b, rows, matching, chosen, (*notes, kernels.description()))
        if side_a.trace is not None and side_b.trace is not None and not initial and match == BY_NAME:
            return _traces(side_a, side_b, chosen, tolerance)
        if initial or (side_a.trace is None) == (side_b.trace is None) or (side_a.runner or side_b.runner) is None:
            return _stored(side_a, side_b, plan, chosen, match, tolerance)
        return _recorded(side_a, side_b, plan, chosen, match, tolerance)


def _searched(
    side_a: Side,
    side_b: Side,
    inputs: str,
    starts: Any,
    ranges: Mapping[str, tuple[float, float]],
    chosen: Chosen,
    match: str,
    tolerance: Tolerance,
) -> Compared:
    """Compares the outputs on the starting inputs, and on the worst ones that are found."""
    from tf2bridge.proof.worst.finding import MADE_UP, Task, search_sides

    task = Task(
        MADE_UP if starts is None else starts, options.seconds_of(inputs), None, ranges, chosen, match, tolerance
    )
    worst, matching = search_sides(side_a, side_b, task)
    alone = () if chosen.subset else stored_rows.alone("output", matching, chosen)
    rows = [*worst.rows, *alone]
    result = _result(side_a, side_b, rows, matching, chosen, (*worst.notes, kernels.description()))
    return replace(result, worst=worst)


def _opened(stack: ExitStack, given: Any, initial: bool) -> Side:
    side = side_of(given, initial=initial)
    if not hasattr(given, "close"):  # what the caller opened stays open
        stack.callback(side.close)
    return side


def _traces(side_a: Side, side_b: Side, chosen: Chosen, tolerance: Tolerance) -> Compared:
    """Compares two recordings of one program, call by call."""
    assert side_a.trace is not None
    assert side_b.trace is not None
    compared = two_traces.compare(side_b.trace, side_a.trace, tolerance)
    rows = [row for row in compared.rows if chosen.has(row.tensor, row.renamed)]
    chosen.check(list(dict.fromkeys(name for row in compared.rows for name in (row.tensor, row.renamed) if name)))
    left = sum(map(_is_missing, rows)) if chosen.subset else 0
    notes = [f"{left} tensors or calls are on one side only, which is no difference in a subset"] if left else []
    incomplete = [
        f"{side.name}: {why}"
        for side, trace in ((side_a, side_a.trace), (side_b, side_b.trace))
        if (why := two_traces.why_cut(trace))
    ]
    incomplete += [compared.unproven] if compared.unproven else []
    ended = side_b.trace.exit_status, side_a.trace.exit_status
    if ended[0] != ended[1] and not incomplete:
        incomplete.append(f"the program ended with status {ended[1]} in A, and {ended[0]} in B")
    kept = [row for row in rows if not (chosen.subset and _is_missing(row))]
    return _result(
        replace(side_a, notes=()), replace(side_b, notes=()), kept, None, chosen, [*notes, *compared.notes], incomplete
    )


def _stored(side_a: Side, side_b: Side, plan: Any, chosen: Chosen, match: str, tolerance: Tolerance) -> Compared:
    if match == BY_PLAN:
        from tf2bridge.proof.comparing import planned

        side_a, side_b, matching = planned.applied(side_a, side_b, plan)
    else:
        for side in (side_a, side_b):
            if side.values is None:
                raise NothingInCommonError(side_a.name, side_b.name, _without_values(side))
        matching = stored_rows.matched(side_a, side_b, match)
    chosen.check([*(name for pair in matching.pairs for name in pair), *matching.only_a, *matching.only_b])
    rows = list(stored_rows.compared(side_a, side_b, matching, chosen, tolerance))
    return _result(side_a, side_b, rows, matching, chosen, () if matching.pairs else _how_to_pair(side_a, side_b))


def _recorded(side_a: Side, side_b: Side, plan: Any, chosen: Chosen, match: str, tolerance: Tolerance) -> Compared:
    """Compares a trace with a graph or model: first the values, then the calls that can be computed again."""
    from tf2bridge.proof.comparing import trace_and_model

    trace, side = (side_a.trace, side_b) if side_a.trace is not None else (side_b.trace, side_a)
    assert trace is not None
    assert side.runner is not None
    of_values = None
    if side_a.values and side_b.values:
        of_values = _stored(side_a, side_b, plan, replace(chosen, patterns=()), match, tolerance)
    has_values = of_values is not None and bool(of_values.how)
    values = [row for row in of_values.rows if chosen.has(row.tensor, row.renamed)] if of_values and has_values else []
    how = of_values.how if of_values and has_values else {}
    if of_values and has_values and any(not row.passed for row in of_values.rows if not _is_missing(row)):
        note = "the recorded calls are not computed again, since the variables hold other values"
        return replace(_result(side_a, side_b, values, None, chosen, (note,)), how=how)
    calls = list(trace_and_model.compared(trace, side, side.runner(), has_values, chosen, tolerance, side is side_a))
    if all(map(_is_missing, calls)):
        why = f"{side.name} knows no tensor that was fetched; give the old graph as A and the trace by --inputs"
        if not values:
            raise NothingInCommonError(side_a.name, side_b.name, why)
        if not calls and not chosen.subset:
            note = "no recorded call is computed again, since each may have changed a variable"
            return replace(_result(side_a, side_b, values, None, chosen, (note,)), how=how)
        note = f"no recorded call is computed again: {why}"
        incomplete = () if chosen.subset else (note,)
        return replace(_result(side_a, side_b, values, None, chosen, (note,), incomplete), how=how)
    note = f"{len({row.call for row in calls})} of {len(trace.program_calls)} recorded calls are computed again"
    why = ": those after the last that may have changed a variable" if has_values else ""
    notes = (note + why, kernels.description())
    return replace(_result(side_a, side_b, [*values, *calls], None, chosen, notes), how=how)


def _how_to_pair(side_a: Side, side_b: Side) -> tuple[str, ...]:
    """Returns the advice if no name is on both sides: commands, if the command line can name both sides."""
    if side_a.checkpoint is None or not (names_code(side_b.name) or is_path(side_b.name)):
        return ("no name is on both sides: give a plan, or pair by position (--match position)",)
    a, b = systems.joined([side_a.name]), systems.joined([side_b.name])
    return (
        "no name is on both sides; these pair them, by layers, shapes and order, and you read plan.toml in between:",
        f"  tf2bridge plan {a} --into {b} --output plan.toml",
        f"  tf2bridge compare {a} {b} --plan plan.toml",
    )


def _is_missing(row: Comparison) -> bool:
    return row.distance.verdict is Verdict.MISSING


def _without_values(side: Side) -> str:
    remedy = "give --inputs to compare what it computes" if side.runner else "nothing of it can be compared"
    return f"{side.name} ({side.kind}) stores no values; {remedy}"


def _result(
    side_a: Side,
    side_b: Side,
    rows: Sequence[Comparison],
    matching: Matching | None,
    chosen: Chosen,
    notes: Sequence[str] = (),
    incomplete: Sequence[str] = (),
) -> Compared:
    only_a = matching.only_a if matching else ()
    only_b = matching.only_b if matching else ()
    return Compared(
        side_a.name,
        side_b.name,
        (side_a.kind, side_b.kind),
        tuple(rows),
        dict(matching.how) if matching else {},
        tuple(name for name in only_a if chosen.has(name)),
        tuple(name for name in only_b if chosen.has(name)),
        (*side_a.notes, *side_b.notes, *notes, *(() if nothing_told(rows) else hollow_note(rows))),
        (*incomplete, *chosen.without_rows(rows)),
    )
