"""Runs a program on TensorFlow 2 beside the trace that genuine TensorFlow left of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.errors import BridgeError
from tf2bridge.graph.nodes import node_of
from tf2bridge.proof.comparing.rows import TAKEN_OVER, Comparison, first_divergence
from tf2bridge.proof.comparing.traces import compare
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.recording.encoding import describe
from tf2bridge.proof.replaying.process import FROM_PROGRAM, Seeds, recorded_anew
from tf2bridge.proof.replaying.seeding import FROM_TRACE
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.growth import Growth, Reading, growths_of_bad
from tf2bridge.proof.trajectories.series import Series

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.divergence import Divergence


@dataclass(frozen=True)
class Replay:
    """What came of running a program against a trace.

    Attributes:
        rows: one `Comparison` for each tensor of the trace.
        seeds: how the op seeds came about.
        release: the TensorFlow that recorded the trace.
        status: the program's exit status on TensorFlow 2.
        recorded_status: its exit status when it was recorded.
        stopped: why the recording had been stopped early; empty if it is whole.
        printed: what the program printed, standard output and error together.
        variables: name -> {"shape", "dtype"} of those that it has now, whose shapes are known.
        divergence: the first op that parts both, where rows differ and it was found.
        not_searched: why it was not found; empty where it was, where all rows passed or nobody asked.
        growths: how the differences of what did not pass grow over the calls.
        controls: what rounding alone makes of the recorded program, by tensor; of those whose growth is not decided.
        notes, unproven: as of `comparing.traces.Found`.
    """

    rows: list[Comparison]
    seeds: Seeds
    release: str
    status: int
    recorded_status: int
    stopped: str
    printed: str
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    divergence: Divergence | None = None
    not_searched: str = ""
    growths: Sequence[Growth] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)
    notes: Sequence[str] = ()
    unproven: str = ""

    @property
    def proven(self) -> bool:
        """Whether every tensor was compared and passed, and the program ended as it had when it was recorded."""
        ended_alike = self.status == self.recorded_status
        return (
            not self.unproven
            and bool(self.rows)
            and first_divergence(self.rows) is None
            and ended_alike
            and not self.stopped
        )


def replay(
    recorded: Trace,
    command: Sequence[str],
    cwd: Path,
    *,
    api: str = "",
    seeds: str = FROM_TRACE,
    feeds: str = FROM_PROGRAM,
    tolerance: Tolerance = DEFAULT,
    on_call: Callable[[int], None] | None = None,
    search: bool = True,
) -> Replay:
    """Runs a program in a process of its own and compares what its sessions compute with a trace.

    Args:
        recorded: the trace that genuine TensorFlow left.
        command: ["train.py", "--steps", "5"] or ["-m", "package.train"].
        cwd: the directory to run in; the program may write there.
        api: the release of an untouched program ("0.12"); empty for a migrated one.
        seeds: "trace" or "rule", see `tf2bridge.proof.replaying.seeding.Seeding`.
        feeds: "program", or "trace" to feed what was recorded in place of what the program feeds.
        tolerance: for fetches and variables.
        on_call: is told the number of calls made so far.
        search: whether the first op that differs is searched where tensors differ.

    Raises:
        MissingExtraError: TensorFlow is not installed.
        ReplayFailedError: the program ended before it could be recorded.
    """
    with recorded_anew(recorded, command, cwd, api=api, seeds=seeds, feeds=feeds, on_call=on_call) as run:
        compared = compare(run.trace, recorded, tolerance)
        rows = [_marked(row, run.seeds) for row in compared.rows]
        variables = _variables(run.trace)
        found = _searched(run.trace, recorded, rows, tolerance) if search else (None, "")
    grown = growths_of_bad(rows)
    by_modules = {row.tensor for row in rows if row.via}
    return Replay(
        rows=rows,
        seeds=run.seeds,
        release=recorded.release,
        status=run.status,
        recorded_status=recorded.exit_status,
        stopped=_why_stopped(recorded),
        printed=run.printed,
        variables=variables,
        divergence=found[0],
        not_searched=found[1],
        growths=grown,
        controls=_controls(recorded, grown, rows if found[0] is None else [], by_modules) if search else {},
        notes=compared.notes,
        unproven=compared.unproven,
    )


def _variables(trace: Trace) -> Mapping[str, Mapping[str, Any]]:
    rows = [row for graph in trace.manifest["graphs"] for row in graph["variables"]]
    return {row["name"]: {"shape": row["shape"], "dtype": row["dtype"]} for row in rows if row["shape"] is not None}


def _searched(
    actual: Trace, recorded: Trace, rows: list[Comparison], tolerance: Tolerance
) -> tuple[Divergence | None, str]:
    """The first op that differs, or why it is not known: no failure of the search hides what was compared."""
    if first_divergence(rows) is None:
        return None, ""
    from tf2bridge.proof.diverging.search import search

    try:
        return search(actual, recorded, rows, tolerance), ""
    except BridgeError as error:
        return None, str(error)
    except Exception as error:  # the graphs are of any kind, and so is what may go wrong with them
        return None, f"the search for the first op failed ({' '.join(describe(error).split())})"


def _controls(
    recorded: Trace, growths: Sequence[Growth], rows: list[Comparison], by_modules: set[str]
) -> dict[str, Control]:
    """What rounding makes of the recorded program, where the growth of a difference leaves that open.

    rows: where no op was found that differs, what was compared: last values of variables, which have no growth, may be
    rounding, too, unless something before them is not. by_modules: what modules of TensorFlow fetched, whose calls have
    no place among the program's; of it nothing is said.

    Where its graphs cannot be run again, nothing: the reading by growth alone stands, and says so.
    """
    open_ones = (Reading.CHAOS, Reading.OPEN, Reading.ROUNDING)
    undecided = [each.series for each in growths if each.reading in open_ones and each.series.name not in by_modules]
    faulty = any(each.reading is Reading.FAULT for each in growths)
    if faulty or any(not row.passed for row in rows if row.kind in ("initial", "feed")):
        finals = []
    else:
        finals = [Series(row.tensor, (len(recorded.calls),), (row.distance.max_rel,)) for row in rows if _is_off(row)]
    if not undecided and not finals:
        return {}
    from tf2bridge.proof.replaying.disturbed import controls

    try:
        return controls(recorded, undecided, finals)
    except BridgeError:
        return {}


def _is_off(row: Comparison) -> bool:
    """Whether the last value of a variable is another number."""
    return row.kind == "final" and row.distance.verdict is Verdict.DIFFERENT and row.distance.ulps is not None


def _marked(row: Comparison, seeds: Seeds) -> Comparison:
    """Says of an initial value, or of what a random op drew, that it was taken over, where it was."""
    name = row.renamed or row.tensor
    taken = {
        "initial": name in seeds.values,
        "intermediate": node_of(name) in seeds.draws,
        "fetch": node_of(name) in seeds.draws,
        "feed": name in seeds.feeds,
    }.get(row.kind, False)
    return row if not taken else replace(row, distance=replace(row.distance, note=TAKEN_OVER))


def _why_stopped(recorded: Trace) -> str:
    if not recorded.ended:
        return f"the recorded program was killed after call {len(recorded.calls) - 1}"
    if recorded.stopped is None:
        return ""
    return f"the recording was stopped at its limit of {recorded.stopped['reason']}, call {recorded.stopped['call']}"
