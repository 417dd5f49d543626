"""`tf2bridge replay T --graph`: runs the graphs of a trace again on TensorFlow 2, without the program.

Each recorded session is run twice, from the recorded initial values of the variables: in a v1 session of the untouched
graph, and through functions of a `GraphModule`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tf2bridge.proof.comparing.evidence import nothing_told
from tf2bridge.proof.comparing.rows import TAKEN_OVER, Comparison, first_divergence
from tf2bridge.proof.comparing.two_traces import why_cut
from tf2bridge.proof.comparing.unordered import Unordered
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.replaying.as_functions import Functions
from tf2bridge.proof.replaying.playing import Array, Played, Playing, Recorded, sessions_of
from tf2bridge.proof.replaying.refusals import NotPlayableError
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

SESSION, FUNCTIONS = "a v1 session", "functions of a GraphModule"


@dataclass(frozen=True)
class WayOfRunning:
    """The results of one way of running the graphs.

    Attributes:
        name: The name of the way.
        rows: The compared tensors. `call` is the position among the program's own calls.
        left_out: The calls that were not run, with the reason, one line each.
        missed: The positions of the program's calls with fetches that were not computed again.
    """

    name: str
    rows: list[Comparison] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    missed: list[int] = field(default_factory=list)

    @property
    def unproven(self) -> str:
        """Why rows that passed prove nothing; "" if they prove that both are equal."""
        missed = (
            f"{len(self.missed)} calls that fetched values were not run again, or not wholly" if self.missed else ""
        )
        return nothing_told(self.rows) or missed


@dataclass(frozen=True)
class GraphReplay:
    """The results of running the recorded graphs again.

    Attributes:
        ways: The results of each way of running them.
        release: The TensorFlow release that recorded them.
        stopped: Why the recording ended early; empty if it is complete.
    """

    ways: tuple[WayOfRunning, ...]
    release: str
    stopped: str = ""

    @property
    def proven(self) -> bool:
        """True if every call was compared in a session, and all comparisons of both ways passed."""
        return not self.unproven and all(first_divergence(way.rows) is None for way in self.ways)

    @property
    def unproven(self) -> str:
        """Why passing rows of the session do not prove equality; empty if they do."""
        return self.stopped or self.ways[0].unproven


def replay_graphs(
    recorded: Trace, tolerance: Tolerance = DEFAULT, on_call: Callable[[int], None] | None = None
) -> GraphReplay:
    """Runs all sessions of a trace again in both ways. Compares fetches, variables and, in a session, inner tensors.

    Args:
        recorded: The trace.
        tolerance: The tolerance of the comparison.
        on_call: A function that gets the number of calls done so far, of twice as many as the trace has.

    Raises:
        BridgeError: The trace cannot be read.
    """
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        if on_call is not None:
            on_call(done)

    ways = []
    for name, runner in ((SESSION, Playing), (FUNCTIONS, Functions)):
        way = WayOfRunning(name)
        for number in range(len(recorded.graphs)):
            graph = Recorded(recorded, number)
            for session in sessions_of(recorded, number):
                with runner(graph, session) as player:
                    _run(player, way, tolerance, count)
        way.rows.sort(key=_place)
        ways.append(way)
    return GraphReplay(tuple(ways), recorded.release, why_cut(recorded))


def _place(row: Comparison) -> tuple[int, int]:
    """Returns the sort key of a row: initial values first, then calls, then final values."""
    return {"initial": 0, "final": 2}.get(row.kind, 1), row.call or 0


def _run(player: Playing | Functions, way: WayOfRunning, tolerance: Tolerance, count: Callable[[], None]) -> None:
    trace = player.recorded.trace
    places = {call.index: call.position for call in trace.program_calls if call.position is not None}
    unordered = Unordered(trace)
    gap = next((n for n, place in enumerate(sorted(places.values())) if n != place), None)
    fetching = {call.index for call in player.calls if call.index in places and _values(call)}
    compared = set[int]()
    try:
        for call in player.calls:
            if (gap is not None and (call.position or 0) > gap) or call.kind == "partial":
                why = "it is a partial run" if call.kind == "partial" else f"call {gap} was left out of the recording"
                raise NotPlayableError(trace.path, player.number, call.index, why)
            # A function may be optimized, so it has no inner tensors to fetch.
            inner = player.inner(call) if isinstance(player, Playing) else []
            played = player.play(call, inner) if isinstance(player, Playing) else player.play(call)
            count()
            if played.left_out:
                way.left_out.append(_text(call, places, played.left_out))
            way.rows.extend(_first_values(player, call, played, tolerance))
            player.check_known(call)
            if call.via and played.error is not None and call.error is None:
                # It needs data of an earlier call from a file. `check_known` reports this for the program's own calls.
                way.left_out.append(_text(call, places, played.error))
            elif call.index in places or call.via:
                place = places.get(call.index, call.index)
                way.rows.extend(_fetched(trace, call, place, played, inner, unordered, tolerance))
                if played.error is not None or _values(call) <= played.values.keys():
                    compared.add(call.index)
    except NotPlayableError as error:
        way.left_out.append(str(error))
    else:
        way.rows.extend(_final_values(player, tolerance))
    way.missed.extend(sorted(places[index] for index in fetching - compared))


def _values(call: CallRecord) -> set[str]:
    """Returns the names of the fetches with a value."""
    return {leaf.name for leaf in call.fetches if leaf.value is not None}


def _text(call: CallRecord, places: dict[int, int], why: str) -> str:
    who = f"call {places[call.index]}" if call.index in places else f"a call by {call.via or call.thread}"
    where = f" ({call.where})" if call.where else ""
    return f"{who}{where} was not run, or not all of it: {why}"


def _first_values(
    player: Playing | Functions, call: CallRecord, played: Played, tolerance: Tolerance
) -> Iterator[Comparison]:
    """Compares the first values of variables, and then assigns the recorded ones.

    A value of an op without a seed proves nothing, because every run draws another one.
    """
    recorded = player.first_values(call)
    computed = {} if played.left_out else player.state(list(recorded))
    for name, expected in recorded.items():
        ours = computed.get(name)
        if ours is None or name in player.recorded.drawn_variables:
            apart = Distance(Verdict.EQUAL, note=TAKEN_OVER)
        else:
            apart = distance(ours, expected, tolerance)
        yield Comparison("initial", None, name, "", call.where, expected.shape, apart)
    player.give(recorded)


def _fetched(
    trace: Trace,
    call: CallRecord,
    place: int,
    played: Played,
    inner: Sequence[str],
    unordered: Unordered,
    tolerance: Tolerance,
) -> Iterator[Comparison]:
    """Yields the rows of a call: inner tensors, then fetches. A difference that no order of reads decides has none."""
    if (played.error is None) != (call.error is None) and not played.left_out:
        name = ", ".join(leaf.name for leaf in call.fetches[:3])
        apart = Distance(Verdict.DIFFERENT, note=f"error {played.error!r}, recorded {call.error!r}")
        yield Comparison("fetch", place, name, "", call.where, (), apart, call.via)
        return
    wanted = [("intermediate", leaf, played.more) for leaf in call.intermediate if leaf.name in inner]
    wanted += [("fetch", leaf, played.values) for leaf in call.fetches]
    for kind, leaf, values in wanted:
        if leaf.value is not None and leaf.name in values:
            expected = trace.value(leaf.value)
            apart = distance(_as_recorded(values[leaf.name], expected), expected, tolerance)
            if apart.verdict.passed or not unordered.variable(call, leaf.name):
                yield Comparison(kind, place, leaf.name, "", call.where, expected.shape, apart, call.via)


def _final_values(player: Playing | Functions, tolerance: Tolerance) -> Iterator[Comparison]:
    """Yields the rows of last values, in the last session of a graph: the trace holds one for each variable."""
    if player.number != max(sessions_of(player.recorded.trace, player.recorded.number)):
        return
    variables = player.recorded.variables
    for name, ours in player.state(list(variables)).items():
        ref = variables[name].final
        if ref is not None:
            expected = player.recorded.trace.value(ref)
            missing = Distance(Verdict.MISSING, note="it has no value")
            apart = missing if ours is None else distance(_as_recorded(ours, expected), expected, tolerance)
            yield Comparison("final", None, name, "", "", expected.shape, apart)


def _as_recorded(ours: Array, expected: Array) -> Array:
    """Returns a bfloat16 as the float32 that a trace gives for it."""
    return ours.astype(expected.dtype) if ours.dtype.name == "bfloat16" else ours
