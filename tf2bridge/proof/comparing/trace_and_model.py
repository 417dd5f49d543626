"""Compares a trace with a graph or model, which computes the recorded calls again.

A call can be computed again if the variables had the other side's values. These are the calls after the last one that
may have changed a variable. The operations behind the fetches of a call show whether it may change variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from tf2bridge.errors import BridgeError
from tf2bridge.proof.comparing.changing import CHANGES, Changing
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.comparing.runs import computed
from tf2bridge.proof.comparing.sides import Runnable, Side
from tf2bridge.proof.comparing.stored_rows import Chosen, row
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_LONGEST = 200


def calls_that_hold(trace: Trace, with_values: bool) -> list[tuple[int, CallRecord]]:
    """Returns (position, call) for the program's calls that can be computed again.

    Args:
        trace: The trace.
        with_values: Whether the other side has the last values of the variables. If not, all calls are returned.
    """
    calls = [(call.position, call) for call in trace.program_calls if call.error is None and call.position is not None]
    if not with_values:
        return calls
    last: dict[int, tuple[int, float, float]] = {}
    for number in {call.graph for _, call in calls}:
        mine = [call for call in trace.calls if call.graph == number]
        session = max(call.session for call in mine)
        changing = Changing(trace, number, CHANGES)
        changed = max((call.index for call in mine if call.session == session and changing.may(call)), default=-1)
        last[number] = session, changed, _last_left_out(trace, number, changing)
    return [
        (at, call)
        for at, call in calls
        if call.session == last[call.graph][0] and call.index > last[call.graph][1] and at > last[call.graph][2]
    ]


def _last_left_out(trace: Trace, number: int, changing: Changing) -> float:
    """Returns the position of the last call that `--every` left out, if such a call may change variables; else -1.

    The result is infinite if calls were left out after the last recorded call, because their positions are unknown.
    """
    rows = trace.manifest["left_out"]
    if not any(row["graph"] == number and changing.may_by(row["fetches"]) for row in rows):
        return -1
    known = {call.position for call in trace.program_calls}
    gaps = [place for place in range(max((place or 0 for place in known), default=0)) if place not in known]
    return float("inf") if sum(row["calls"] for row in rows) > len(gaps) else max(gaps, default=-1)


def compared(
    trace: Trace,
    side: Side,
    runner: Runnable,
    with_values: bool,
    chosen: Chosen,
    tolerance: Tolerance,
    trace_is_b: bool = False,
) -> Iterator[Comparison]:
    """Yields a row for each fetched or intermediate tensor of the calls that can be computed again.

    Tensors that the side cannot compute get a row too. So do tensors without a counterpart, unless a subset is
    requested.
    """
    for position, call in calls_that_hold(trace, with_values):
        inner = [("intermediate", leaf) for leaf in call.intermediate]
        recorded = [*inner, *(("fetch", leaf) for leaf in call.fetches)]
        leaves = [(kind, leaf) for kind, leaf in recorded if leaf.value is not None and chosen.has(leaf.name)]
        names = {leaf.name: runner.find(leaf.name) for _, leaf in leaves}
        feeds = {
            name: trace.value(leaf.value)
            for leaf in call.feeds
            if leaf.value is not None and (name := runner.find(leaf.name)) is not None
        }
        wanted = list(dict.fromkeys(name for name in names.values() if name is not None))
        try:
            values = computed(side, runner, feeds, wanted) if wanted else {}
            why = f"{side.name} has no such tensor"
        except BridgeError as error:
            values, why = {}, str(error)[:_LONGEST]
        for kind, leaf in leaves:
            name = names[leaf.name]
            if name in values and leaf.value is not None:
                both = ((leaf.name, trace.value(leaf.value)), (name, values[name]))
                (name_a, expected), (name_b, actual) = both[::-1] if trace_is_b else both
                yield row(kind, name_a, name_b, expected, actual, tolerance, position, call.where)
            elif name is not None or not chosen.subset:
                missing = Distance(Verdict.MISSING, note=why)
                yield Comparison(kind, position, leaf.name, "", call.where, (), missing)
