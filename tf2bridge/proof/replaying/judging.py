"""Compares a run of a program with its trace, and judges the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tf2bridge.errors import BridgeError
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.comparing.evidence import nothing_told
from tf2bridge.proof.comparing.rows import SUMMARY, TAKEN_OVER, Comparison, first_divergence
from tf2bridge.proof.comparing.two_traces import Found, compare, why_cut
from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.tolerance import EXACT, Tolerance, Verdict
from tf2bridge.proof.recording.encoding import describe
from tf2bridge.proof.replaying import own_seeds
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.replaying.process import Run, Seeds
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.growth import Growth, Reading, growths_of_bad
from tf2bridge.proof.trajectories.series import Series

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.divergence import Divergence

_AT_FIRST = ("initial", "feed")
"""Kinds of values that the program gets and does not compute, so rounding cannot change them."""
_DRAWN_LATER = (
    "last values are not compared: after call {call}, where the recording stopped, ops without a seed drew numbers "
    "that the trace does not have"
)


def judged(run: Run, recorded: Trace, tolerance: Tolerance, search: bool = True) -> Replay:
    """Returns the result of a run; `search` is that of `program.replaying.replay`."""
    compared = compare(run.trace, recorded, tolerance)
    otherwise = _taken_over(run, recorded, tolerance)
    return concluded(run, recorded, tolerance, compared, otherwise, run.trace if search else None)


def concluded(
    run: Run,
    recorded: Trace,
    tolerance: Tolerance,
    compared: Found,
    unlike: Sequence[str],
    searched: Trace | None,
    is_native: bool = False,
) -> Replay:
    """Returns what a comparison says about a run.

    Args:
        run: The run.
        recorded: The trace of genuine TensorFlow.
        tolerance: The tolerance for fetches and variables.
        compared: The result of the comparison.
        unlike: How the program's own computation of values that were taken over differs from the recorded one.
        searched: The trace whose graph is searched for the first op that differs; None for no search.
        is_native: Whether the program has no sessions.
    """
    search = searched is not None
    rows = [_marked(row, run.seeds) for row in compared.rows]
    notes = list(compared.notes)
    if recorded.stopped is not None and run.seeds.draws:
        rows = [row for row in rows if row.kind != "final"]
        notes.append(_DRAWN_LATER.format(call=recorded.stopped["call"]))
    divergence, not_searched, is_rounding = (
        _searched(searched, recorded, [row for row in rows if row.kind != SUMMARY], tolerance)
        if searched is not None
        else (None, "", False)
    )
    is_given_alike = all(row.passed for row in rows if row.kind in _AT_FIRST)
    grown = growths_of_bad(rows) if is_given_alike else []
    controls = _controls(recorded, grown, rows if divergence is None else []) if search and is_given_alike else {}
    otherwise, told = own_seeds.told(recorded, run.seeds.others if run.seeds.taken else ())
    return Replay(
        rows=rows,
        seeds=run.seeds,
        release=recorded.release,
        status=run.status,
        recorded_status=recorded.exit_status,
        stopped=why_cut(recorded),
        printed=run.printed,
        variables=_variables(run.trace),
        divergence=divergence,
        not_searched=not_searched,
        growths=grown,
        controls=controls,
        notes=(*notes, *told),
        unproven=compared.unproven or nothing_told(_moved(rows, recorded)),
        otherwise=(*otherwise, *unlike),
        rounding=_rounding(rows, controls) if is_rounding else "",
        is_native=is_native,
    )


def _taken_over(run: Run, recorded: Trace, tolerance: Tolerance) -> list[str]:
    """Returns how the program's own computation of the values that were taken over differs from the recorded one."""
    if not run.seeds.values and not run.seeds.draws:
        return []
    from tf2bridge.proof.diverging import given_draws
    from tf2bridge.proof.replaying import initializers

    return [
        *initializers.unlike(run.trace, recorded, run.seeds.values, tolerance),
        *given_draws.unlike(run.trace, recorded, run.seeds.draws, tolerance),
    ]


def _rounding(rows: Sequence[Comparison], controls: Mapping[str, Control]) -> str:
    """Returns the evidence that every difference is rounding; "" without such evidence."""
    bad = [row for row in rows if not row.passed]
    by_tensor = [controls.get(row.tensor) for row in bad]
    explained = [control for control in by_tensor if control is not None and control.explained]
    if not bad or not all(map(_may_be_rounding, bad)) or len(explained) < len(by_tensor):
        return ""
    ratio = max(control.ratio for control in explained)
    return (
        "each call gives the same if both graphs begin it from the same state, and the differences over the calls are "
        f"at most {ratio:.2g} times those that one unit in the last place of the initial values causes in the recorded "
        "program"
    )


def _variables(trace: Trace) -> Mapping[str, Mapping[str, Any]]:
    rows = [row for graph in trace.manifest["graphs"] for row in graph["variables"]]
    return {row["name"]: {"shape": row["shape"], "dtype": row["dtype"]} for row in rows if row["shape"] is not None}


def _searched(
    actual: Trace, recorded: Trace, rows: list[Comparison], tolerance: Tolerance
) -> tuple[Divergence | None, str, bool]:
    """Returns the first op that differs, or why it is unknown, and whether each call agrees by itself.

    An error of the search does not hide the comparison.
    """
    if first_divergence(rows) is None:
        return None, "", False
    from tf2bridge.proof.diverging.refusals import EachCallAgreesError
    from tf2bridge.proof.diverging.search import search

    try:
        return search(actual, recorded, rows, tolerance), "", False
    except BridgeError as error:
        return None, str(error), isinstance(error, EachCallAgreesError)
    except Exception as error:  # the graphs may be of any kind, and so may the errors
        return None, f"the search for the first op failed ({' '.join(describe(error).split())})", False


def _controls(recorded: Trace, growths: Sequence[Growth], rows: list[Comparison]) -> dict[str, Control]:
    """Returns tensor -> how far rounding moves the recorded program, for growths that do not decide.

    Fetches by modules of TensorFlow are left out, because their calls have no position in the program. If the graphs
    cannot be run again, the result is empty, and the reading by growth remains.

    Args:
        recorded: The trace.
        growths: The growth of the differences.
        rows: The compared rows, if no differing op was found. A value that differs once, such as the last value of a
            variable, has no growth. It may be rounding too, unless an earlier difference is a fault.
    """
    by_modules = {row.tensor for row in rows if row.via}
    open_ones = (Reading.CHAOS, Reading.OPEN, Reading.ROUNDING)
    undecided = [
        growth.series for growth in growths if growth.reading in open_ones and growth.series.name not in by_modules
    ]
    faulty = any(growth.reading is Reading.FAULT for growth in growths)
    off = [] if faulty else [row for row in rows if _may_be_rounding(row)]
    last = [row for row in off if row.kind == "final" and recorded.stopped is None]  # else later calls made them
    finals = [Series(row.tensor, (len(recorded.calls),), (row.distance.max_rel,)) for row in last]
    grown = {growth.series.name for growth in growths}
    once = [row for row in off if row.kind == "fetch" and row.tensor not in grown]
    undecided += [Series(row.tensor, (row.call or 0,), (row.distance.max_rel,)) for row in once]
    if not undecided and not finals:
        return {}
    from tf2bridge.proof.replaying.disturbed import controls

    try:
        return controls(recorded, undecided, finals)
    except BridgeError:
        return {}


def _may_be_rounding(row: Comparison) -> bool:
    """Returns whether the row is a different floating value that the program computes and its own calls return."""
    is_computed = row.kind == "final" or (row.kind == "fetch" and not row.via)
    return is_computed and row.distance.verdict is Verdict.DIFFERENT and row.distance.ulps is not None


def _moved(rows: Sequence[Comparison], recorded: Trace) -> list[Comparison]:
    """Returns the rows without last values that equal first values taken over from the trace."""
    taken = {row.tensor for row in rows if row.kind == "initial" and row.distance.note == TAKEN_OVER}
    still = {
        variable.name
        for graph in recorded.graphs
        for variable in graph.variables
        if variable.name in taken and variable.initial is not None and variable.final is not None
        if variable.initial == variable.final
        or _same_bits(recorded.value(variable.initial), recorded.value(variable.final))
    }
    return [row for row in rows if row.kind != "final" or row.tensor not in still]


def _same_bits(left: Any, right: Any) -> bool:
    return bool(distance(left, right, EXACT).verdict is Verdict.EQUAL)


def _marked(row: Comparison, seeds: Seeds) -> Comparison:
    """Returns the row, with a note if its value was taken over from the trace."""
    name = row.renamed or row.tensor
    taken = {
        "initial": name in seeds.values,
        "intermediate": node_of(name) in seeds.draws,
        "fetch": node_of(name) in seeds.draws,
        "feed": name in seeds.feeds,
    }.get(row.kind, False)
    return row if not taken else replace(row, distance=replace(row.distance, note=TAKEN_OVER))
