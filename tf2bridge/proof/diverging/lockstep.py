"""Runs the graphs of both sides call by call from the same state, until a call differs in its state or its values."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import needed, node_of, variable_nodes
from tf2bridge.graph.passes.frames import frames
from tf2bridge.proof.comparing.aligning import by_names, unnumbered
from tf2bridge.proof.comparing.two_traces import all_pairs
from tf2bridge.proof.comparing.unordered import Unordered
from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.refusals import NoSearchError
from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.replaying.playing import Array, Played, Playing, Recorded
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_LOOSE = 10
"""A tensor also agrees if its largest difference is below this multiple of rtol times its largest element.

Elements that cancel to nearly zero have a large relative difference.
"""

_FAR = 1e5
"""An element this many times as large as the small elements of a tensor does not show their usual size."""


def agree(ours: Array | None, theirs: Array | None, tolerance: Tolerance) -> bool:
    """Returns True if two values are equal up to rounding; a missing value equals no other."""
    if ours is None or theirs is None:
        return False
    apart = distance(ours, theirs, tolerance)
    floating = theirs.dtype.kind in "fcV" and ours.dtype == theirs.dtype and ours.shape == theirs.shape
    if apart.verdict.passed or not floating or apart.max_rel > _LOOSE * apart.rtol:
        return apart.verdict.passed
    return theirs.dtype.kind != "f" or apart.max_abs <= _LOOSE * apart.rtol * _usual_size(theirs)


def _usual_size(value: Array) -> float:
    """Returns the size of the largest element, without huge ones that only mask others, such as -1e9."""
    sizes = np.abs(value[np.isfinite(value) & (value != 0)]).astype(np.float64)
    if not sizes.size:
        return 0.0
    return float(sizes[sizes <= _FAR * np.quantile(sizes, 0.1)].max())


@dataclass
class Side:
    """The session of one trace that holds the call. `at`: index of a recorded call -> the corresponding call."""

    trace: Trace
    recorded: Recorded
    session: int
    at: dict[int, CallRecord]

    def playing(self, exact: bool) -> Playing:
        """Opens the session to play it from its beginning. `exact`: no op is fused with another."""
        return Playing(self.recorded, self.session, exact)


@dataclass(frozen=True)
class Parting:
    """The first call that differs: its number, its values, and the variables and fetches that differ.

    `theirs`, `ours`: the results of the call with all further fetches. `before`: the state before the call, by the
    recorded names. `after`: the state of each side after the call, by its own names.
    """

    call: int
    theirs: Played
    ours: Played
    before: Mapping[str, Array | None]
    after_theirs: Mapping[str, Array | None]
    after_ours: Mapping[str, Array | None]
    fetches: list[tuple[str, str]] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)


class Lockstep:
    """Two sides, run together.

    Attributes:
        variables: recorded name -> new name. drawn: recorded random op -> new one, if it gets the recorded values
        because the seeds differ. unequal: variables whose first values are known to differ; the others have been
        compared. renumbered: variables whose names mean other variables. They have no counterpart, nor do variables
        whose names number, have no counterpart.
    """

    def __init__(
        self,
        theirs: Side,
        ours: Side,
        tolerance: Tolerance,
        unequal: Collection[str] = (),
        renumbered: Collection[str] = (),
    ) -> None:
        self.theirs, self.ours, self.tolerance = theirs, ours, tolerance
        self._unequal = set(unequal)
        self.unordered = Unordered(theirs.trace)
        old, new = (
            [name for name in variable_nodes(side.recorded.part) if name not in side.playing(False).of_runners]
            for side in (theirs, ours)
        )
        left_out = {unnumbered(name) for name in renumbered}
        self.variables = {a: b for a, b in _pairs(old, new).items() if unnumbered(a) not in left_out}
        self.drawn = self._controlled()
        self.unlike_recorded: tuple[int, str] | None = None

    @contextlib.contextmanager
    def playing(self, exact: bool = False) -> Iterator[tuple[Playing, Playing]]:
        """Opens both sessions again."""
        with self.theirs.playing(exact) as theirs, self.ours.playing(exact) as ours:
            yield theirs, ours

    def up_to(self, theirs: Playing, ours: Playing, last: int) -> Parting | None:
        """Plays the calls up to number `last`. Returns the first one that differs, or None."""
        for number in sorted(number for number in self.theirs.at if number <= last):
            if (parting := self.step(theirs, ours, number)) is not None:
                return parting
        return None

    def before(self, theirs: Playing, ours: Playing, number: int) -> None:
        """Plays all calls before a number, including those of helpers."""
        for earlier in sorted(index for index in self.theirs.at if index < number):
            self.step(theirs, ours, earlier)
        self._helpers(theirs, self.theirs, number)
        self._helpers(ours, self.ours, number)
        self._same_state(theirs, ours)

    def step(self, theirs: Playing, ours: Playing, number: int) -> Parting | None:
        """Plays one call of the program on both sides, and the calls of helpers before it."""
        self._helpers(theirs, self.theirs, number)
        self._helpers(ours, self.ours, number)
        self._same_state(theirs, ours)
        parting = self.parting(theirs, ours, number)
        self._against_recorded(number, parting.theirs)
        self._first_values(theirs, ours, number)
        return parting if parting.fetches or parting.variables else None

    def parting(
        self, theirs: Playing, ours: Playing, number: int, more: tuple[list[str], list[str]] = ([], [])
    ) -> Parting:
        """Plays one call on both sides from the same state, and fetches further endpoints."""
        before = theirs.state(list(variable_nodes(theirs.recorded.part)))
        old = theirs.play(self.theirs.at[number], [*more[0], *self._asked(number)])
        drawn = self.drawn_in(number)
        given = {drawn[name]: value for name, value in old.more.items() if name in drawn}
        new = ours.play(self.ours.at[number], more[1], given)
        after = theirs.state(list(variable_nodes(theirs.recorded.part)))
        after_ours = ours.state(list(variable_nodes(ours.recorded.part)))
        differing = [
            name
            for name, value in after.items()
            if name in self.variables
            and (before[name] is not None or name in self._unequal)
            and not self._is_one(after_ours[self.variables[name]], value)
        ]
        return Parting(number, old, new, before, after, after_ours, self._fetches(number, old, new), differing)

    def _against_recorded(self, number: int, played: Played) -> None:
        """Stores the first fetch of the recorded graph that differs from the recorded value."""
        unseeded = self.theirs.recorded.unseeded
        for leaf in self.theirs.at[number].fetches:
            if self.unlike_recorded is not None or leaf.value is None or leaf.name not in played.values:
                continue
            if node_of(leaf.name) in unseeded:
                continue  # it draws other numbers in every run
            recorded = self.theirs.trace.value(leaf.value)
            if not distance(played.values[leaf.name], recorded, self.tolerance).verdict.passed:
                self.unlike_recorded = number, leaf.name

    def _is_one(self, ours: Array | None, theirs: Array | None) -> bool:
        return (ours is None and theirs is None) or agree(ours, theirs, self.tolerance)

    def _fetches(self, number: int, theirs: Played, ours: Played) -> list[tuple[str, str]]:
        """Returns the pairs of fetches that differ, without those that read a variable in no fixed order."""
        old, new = self.theirs.at[number].fetches, self.ours.at[number].fetches
        paired, left, gone = by_names(new, old)
        if not self.theirs.at[number].via or self.theirs.at[number].kind == "callable":  # hooks fetch what they like
            paired |= dict(zip(gone, left, strict=False))
        pairs = [(old[place].name, new[paired[place]].name) for place in sorted(paired)]
        if (theirs.error is None) != (ours.error is None):
            return pairs[:1]
        names = [(a, b) for a, b in pairs if theirs.values.get(a) is not None]
        apart = [pair for pair in names if not agree(ours.values.get(pair[1]), theirs.values[pair[0]], self.tolerance)]
        return [pair for pair in apart if not self.unordered.variable(self.theirs.at[number], pair[0])]

    def _asked(self, number: int) -> list[str]:
        """Returns the random ops that this call runs, outside of loops, and whose values the other side gets."""
        return [name for name in self.drawn_in(number) if node_of(name) in self._run_by(number)]

    def drawn_in(self, number: int) -> dict[str, str]:
        """Returns recorded random endpoint -> new one for a call; functions of one program draw for each other."""
        if not self.ours.trace.drawn:
            return self.drawn
        nodes = self.ours.recorded.nodes
        run = needed(nodes, [node_of(leaf.name) for leaf in self.ours.at[number].fetches])
        return {a: b for a, b in self.ours.trace.drawn if node_of(b) in run}

    def _run_by(self, number: int) -> set[str]:
        call = self.theirs.at[number]
        return needed(self.theirs.recorded.nodes, [node_of(leaf.name) for leaf in call.fetches])

    def _helpers(self, player: Playing, side: Side, number: int) -> None:
        """Plays the calls that TensorFlow itself made between the previous call of the program and this one."""
        end = side.at[number].index
        start = max((call.index for index, call in side.at.items() if index < number), default=-1)
        for call in player.calls:
            if start < call.index < end:
                player.play(call)
                player.give(player.first_values(call))
                player.check_known(call)

    def _first_values(self, theirs: Playing, ours: Playing, number: int) -> None:
        """Gives the variables of each side their recorded first values, if they are initialised by now."""
        for player, side in ((ours, self.ours), (theirs, self.theirs)):
            player.give(player.first_values(side.at[number]))

    def _same_state(self, theirs: Playing, ours: Playing) -> None:
        """Gives the new side the state of the recorded side, so that differences do not add up over calls."""
        state = theirs.state(list(self.variables))
        known = ours.state(list(self.variables.values()))
        ours.give(
            {
                self.variables[name]: value
                for name, value in state.items()
                if value is not None and (mine := known[self.variables[name]]) is not None and mine.shape == value.shape
            }
        )

    def _controlled(self) -> dict[str, str]:
        """Returns recorded endpoint -> new endpoint for random ops of one name and kind without a common seed."""
        theirs, ours = self.theirs.recorded.nodes, self.ours.recorded.nodes
        outside = [set(frames(nodes)[""].nodes) for nodes in (theirs, ours)]
        random = [
            {name for name in names if "seed2" in nodes[name].attr}
            for names, nodes in zip(outside, (theirs, ours), strict=True)
        ]
        pairs = _pairs(sorted(random[0]), sorted(random[1]))
        return {
            f"{a}:0": f"{b}:0"
            for a, b in pairs.items()
            if same(theirs[a].op, ours[b].op) and not _same_draws(theirs[a].attr, ours[b].attr)
        }


def _same_draws(old: Mapping[str, object], new: Mapping[str, object]) -> bool:
    seeds = [(attributes["seed"].i, attributes["seed2"].i) for attributes in (old, new)]  # type: ignore[attr-defined]
    return seeds[0] == seeds[1] and any(seeds[0])


def _pairs(theirs: Mapping[str, object] | list[str], ours: Mapping[str, object] | list[str]) -> dict[str, str]:
    """Returns name on one side -> name on the other: the same name, else the only one with the same modern form."""
    by_modern: dict[str, list[str]] = {}
    for name in ours:
        by_modern.setdefault(modern(name), []).append(name)
    known = set(ours)
    pairs = {}
    for name in theirs:
        others = [name] if name in known else by_modern.get(modern(name), [])
        if len(others) == 1:
            pairs[name] = others[0]
    return pairs


def sides(theirs: Trace, ours: Trace, number: int) -> tuple[Side, Side]:
    """Returns the sessions of both traces that hold the recorded call of this index.

    Raises NoSearchError if the calls of both sides are in sessions that do not correspond.
    """
    wanted = theirs.call(number)
    pairs = {
        call.index: (mine, call)
        for mine, call in all_pairs(ours, theirs, number)
        if mine is not None and call is not None
    }
    missing = _left_out(theirs, number) or ("" if number in pairs else wanted.step)
    if missing:
        raise NoSearchError(f"{missing} was not made, or not recorded, on both sides", "record every call")
    mine = pairs[number][0]
    at: tuple[dict[int, CallRecord], dict[int, CallRecord]] = {}, {}
    for index, (mine_now, recorded) in pairs.items():
        if index > number:
            continue
        within = [_session(mine_now) == _session(mine), _session(recorded) == _session(wanted)]
        if within[0] != within[1]:
            raise NoSearchError("the sessions of both programs make other calls", "compare the lines that call them")
        if all(within):
            at[0][index], at[1][index] = recorded, mine_now
    if any(call.kind == "partial" for side in at for call in side.values()):
        raise NoSearchError("the session makes partial runs", "make them whole runs to have it searched")
    return (
        Side(theirs, Recorded(theirs, wanted.graph), wanted.session, at[0]),
        Side(ours, Recorded(ours, mine.graph), mine.session, at[1]),
    )


def _left_out(recorded: Trace, number: int) -> str:
    """Returns the first call before a recorded one that the recorder left out, or "" for none."""
    positions = {call.position for call in recorded.program_calls if call.index <= number}
    gap = next((place for place in range(len(positions)) if place not in positions), None)
    if gap is not None:
        return f"call {gap}"
    graphs = {row["graph"] for row in recorded.manifest["left_out"]}
    call = recorded.call(number)
    return call.step if call.via and call.graph in graphs else ""


def _session(call: CallRecord) -> tuple[int, int]:
    return call.graph, call.session
