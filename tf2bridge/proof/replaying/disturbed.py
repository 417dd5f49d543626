"""Runs the recorded graphs with initial values moved by one unit in the last place, to measure how rounding grows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from tf2bridge.proof.replaying.playing import Array, Playing, Recorded, sessions_of
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord
from tf2bridge.proof.trajectories.control import Control, control, disturbed
from tf2bridge.proof.trajectories.series import Series, gap, of_gaps

RUNS = 3
_Gaps = dict[str, dict[int, tuple[float, float]]]


def controls(
    recorded: Trace, series: Sequence[Series], finals: Sequence[Series] = (), runs: int = RUNS
) -> dict[str, Control]:
    """Compares series of differences with those of the recorded program, disturbed in its first values.

    All sessions of a graph run in step with undisturbed ones, so that nothing but the present values is held.

    Args:
        recorded: the trace that the series were compared with; its graphs are run.
        series: of tensors that the program fetched.
        finals: of variables, at one step each: of their last values.
        runs: how many disturbed runs.

    Returns:
        Name -> what came of it; without those of which a disturbed run gives no value.

    Raises NotPlayableError where the recorded calls cannot be run again, and what reading the trace does.
    """
    all_gaps: list[_Gaps] = [{quantity.name: {} for quantity in (*series, *finals)} for _ in range(runs)]
    for number in range(len(recorded.graphs)):
        graph = Recorded(recorded, number)
        for session in sessions_of(recorded, number):
            with ExitStack() as opened:
                players = [opened.enter_context(Playing(graph, session)) for _ in range(runs + 1)]
                for call in players[0].calls:
                    _step(players, call, all_gaps)
                _end(players, [quantity for quantity in finals if quantity.name in graph.variables], all_gaps)
    return {
        quantity.name: made for quantity in (*series, *finals) if (made := _control(quantity, all_gaps)) is not None
    }


def _step(players: Sequence[Playing], call: CallRecord, all_gaps: Sequence[_Gaps]) -> None:
    """Runs one call in all sessions, and stores the differences of the disturbed sessions."""
    plain = players[0].play(call)
    fresh = players[0].first_values(call)
    players[0].give(fresh)
    players[0].check_known(call)
    for seed, (player, gaps) in enumerate(zip(players[1:], all_gaps, strict=True)):
        played = player.play(call)
        player.give(disturbed(fresh, seed))
        for name in gaps.keys() & plain.values.keys() & played.values.keys():
            if call.position is not None and _is_number(plain.values[name]):
                gaps[name][call.position] = gap(played.values[name], plain.values[name])


def _end(players: Sequence[Playing], finals: Sequence[Series], all_gaps: Sequence[_Gaps]) -> None:
    """Stores the differences of the last values of variables."""
    plain, *moved = (player.state([quantity.name for quantity in finals]) for player in players)
    for quantity in finals:
        for state, gaps in zip(moved, all_gaps, strict=True):
            if _is_number(plain[quantity.name]) and state[quantity.name] is not None:
                gaps[quantity.name][quantity.steps[0]] = gap(state[quantity.name], plain[quantity.name])


def _is_number(value: Array | None) -> bool:
    return value is not None and value.dtype.kind == "f"


def _control(series: Series, all_gaps: Sequence[_Gaps]) -> Control | None:
    steps = tuple(step for step in series.steps if all(step in gaps[series.name] for gaps in all_gaps))
    if not steps:
        return None
    places = [series.steps.index(step) for step in steps]
    kept = replace(series, steps=steps, relative=tuple(series.relative[place] for place in places))
    made = [of_gaps(series.name, steps, [gaps[series.name][step] for step in steps]) for gaps in all_gaps]
    # Where nothing that was disturbed reaches the tensor, as in a program without variables, a control says nothing.
    return control(kept, made) if any(any(series.relative) for series in made) else None
