"""Finds the first op whose inputs agree and whose output does not, in the graphs of two traces.

Both graphs are run call by call from the same state, until one call leaves another state or gives other values. In
that call every tensor of both graphs is looked at: from what differs back to what agrees, the first op is the one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tf2bridge.graph.nodes import node_of
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.diverging.causes import likely_cause
from tf2bridge.proof.diverging.counterparts import counterparts
from tf2bridge.proof.diverging.divergence import Divergence
from tf2bridge.proof.diverging.lines import line_of
from tf2bridge.proof.diverging.lockstep import Lockstep, Parting, Side, sides
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.refusals import NoSearchError
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.diverging.suspects import Suspects, input_distances
from tf2bridge.proof.diverging.view import View
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.replaying.playing import Array, Played, Playing
from tf2bridge.proof.traces.reader import Trace


def search(ours: Trace, theirs: Trace, rows: Sequence[Comparison], tolerance: Tolerance = DEFAULT) -> Divergence | None:
    """Returns the first op that makes `ours`, computed now, differ from `theirs`, what genuine TensorFlow recorded.

    rows: what comparing both gave. None where all rows passed. Raises NoSearchError where no op can be named,
    NotPlayableError where a session cannot be run again.
    """
    absent = [row for row in rows if row.kind == "initial" and row.distance.verdict is Verdict.MISSING]
    bad = first_divergence([row for row in rows if row not in absent]) or first_divergence(absent)
    if bad is None:
        return None
    number = _call_of(bad, theirs)
    unequal = [row.tensor for row in rows if row.kind == "initial" and not row.passed]
    one, other = sides(theirs, ours, number)
    steps = Lockstep(one, other, tolerance, unequal)
    with steps.playing(exact=True) as (old, new):
        parting = steps.up_to(old, new, number)
    if parting is None:
        with steps.playing() as (old, new):
            fused = steps.up_to(old, new, number)
        if fused is not None:
            return _looked_into(steps, fused, alone=True)
        if parting is None and absent:
            return _reader_of([row.tensor for row in absent], steps)
        if parting is None:
            raise _not_parted(bad, steps, number)
    return _looked_into(steps, parting)


def _call_of(bad: Comparison, theirs: Trace) -> int:
    """The program's call to look into."""
    if bad.kind == "feed":
        raise NoSearchError(
            f"the program fed other data in call {bad.call}",
            "no op did that: feed what was recorded with --feeds trace",
        )
    if bad.call is not None:
        if not bad.shape and bad.distance.verdict is Verdict.MISSING:
            raise NoSearchError(bad.distance.note, "make the same calls as the recorded program")
        return bad.call
    calls = [(call.position or 0, call) for call in theirs.program_calls]
    if bad.kind == "initial" and bad.distance.verdict is not Verdict.MISSING:
        found = [each for graph in theirs.graphs for each in graph.variables if each.name == bad.tensor]
        first = [place for place, call in calls if call.index == found[0].initial_after_call]
        if not first:
            raise NoSearchError(
                f"the first value of {bad.tensor} was given by a part of TensorFlow, as a Saver",
                "compare what it was restored from",
            )
        return first[0]
    holding = [
        number for number, graph in enumerate(theirs.graphs) if any(v.name == bad.tensor for v in graph.variables)
    ]
    return max(place for place, call in calls if call.graph in holding)


def _not_parted(bad: Comparison, steps: Lockstep, number: int) -> NoSearchError:
    """Why no call parts both graphs."""
    if steps.unlike_recorded is not None:
        call, name = steps.unlike_recorded
        return NoSearchError(
            f"the recorded graph itself gives another {name} in call {call} on this TensorFlow, as the program does",
            "a kernel computes otherwise; record with --intermediate to see which",
        )
    return NoSearchError(
        f"each of the {number + 1} calls agrees when both graphs begin it from the same state, so that {bad.tensor} "
        "differs by what rounding has grown to",
        "compare fewer steps, or allow more with --rtol and --atol",
    )


def _looked_into(steps: Lockstep, parting: Parting, alone: bool = False) -> Divergence:
    """The op, of the call that parts both: it is played again, and every tensor looked at. alone: see `Evidence`."""
    with steps.playing(exact=True) as (old, new):
        steps.before(old, new, parting.call)
        structures = _structure(old, steps.theirs, parting.call), _structure(new, steps.ours, parting.call)
        again = steps.parting(old, new, parting.call, (structures[0].fetchable(), structures[1].fetchable()))
        if again.theirs.error or again.ours.error:
            error = again.theirs.error or again.ours.error
            raise NoSearchError(f"call {parting.call} gives an error when every tensor is asked for ({error})", "")
        views = _views(steps, again, structures)
        found = Suspects(views[0], views[1], new, steps.tolerance, alone)
        ends = _ends(parting if alone else again, structures, steps)
        evidence = found.evidence(ends)
    return divergence(parting.call, evidence, steps.tolerance)


def divergence(call: int, evidence: Evidence, tolerance: Tolerance) -> Divergence:
    """What the evidence says, with its likely cause."""
    theirs, ours = evidence.theirs, evidence.ours
    mine = evidence.added or ours
    return Divergence(
        call=call,
        op=theirs.name if theirs is not None else "",
        type=theirs.type if theirs is not None else "",
        our_op=mine.name if mine is not None else "",
        our_type=mine.type if mine is not None else "",
        inputs=input_distances(evidence, tolerance),
        output=evidence.output,
        local=evidence.local,
        where=theirs.where if theirs is not None else "",
        our_where=mine.where if mine is not None else "",
        cause=likely_cause(evidence),
        evidence=evidence,
    )


def _structure(player: Playing, side: Side, number: int) -> Structure:
    call = side.at[number]
    names = [leaf.name for leaf in call.fetches if node_of(leaf.name) in player.recorded.nodes]
    return Structure(player.recorded.nodes, player.graph, names, [leaf.name for leaf in call.feeds])


def _views(steps: Lockstep, found: Parting, structures: tuple[Structure, Structure]) -> tuple[View, View]:
    renamed = {b: a for a, b in steps.variables.items()}
    before_ours = {name: found.before.get(renamed.get(name, "")) for name in found.after_ours}
    sought = (
        (structures[0], _values(found.theirs, structures[0], found.before, found.after_theirs, steps.theirs, found)),
        (structures[1], _values(found.ours, structures[1], before_ours, found.after_ours, steps.ours, found)),
    )
    known = {f"{a}:0": f"{b}:0" for a, b in steps.variables.items()}
    known |= _fed(steps.theirs, steps.ours, found.call) | steps.drawn
    pairs = counterparts(*sought, known, steps.tolerance)
    back = {b: a for a, b in pairs.here.items()} | {each: each for each in pairs.there - set(pairs.here.values())}
    return (
        View(*sought[0], pairs.here, line_of(steps.theirs.trace, steps.theirs.recorded.number)),
        View(*sought[1], back, line_of(steps.ours.trace, steps.ours.recorded.number)),
    )


def _values(
    played: Played,
    structure: Structure,
    before: Mapping[str, Array | None],
    after: Mapping[str, Array | None],
    side: Side,
    found: Parting,
) -> dict[str, Array | None]:
    values: dict[str, Array | None] = {f"{name}:0": value for name, value in before.items()}
    values |= {f"{update}:0": after.get(variable) for update, variable in structure.updates.items()}
    call = side.at[found.call]
    values |= {leaf.name: side.trace.value(leaf.value) for leaf in call.feeds if leaf.value is not None}
    return values | dict(played.more)


def _fed(theirs: Side, ours: Side, number: int) -> dict[str, str]:
    """The feeds of both calls, by name, else by their order."""
    old = [leaf.name for leaf in theirs.at[number].feeds]
    new = [leaf.name for leaf in ours.at[number].feeds]
    return {name: name for name in old} if set(old) == set(new) else dict(zip(sorted(old), sorted(new), strict=False))


def _ends(
    found: Parting, structures: tuple[Structure, Structure], steps: Lockstep
) -> list[tuple[str | None, str | None]]:
    """The points that differ, there and here: fetches, and what last changed a variable, None where nothing did."""
    pairs: list[tuple[str | None, str | None]] = [(a, b) for a, b in found.fetches if ":" in a and ":" in b]
    if pairs:  # what a program fetches is less far from the fault than what gradients make of it
        return pairs
    updates = [{variable: f"{name}:0" for name, variable in each.updates.items()} for each in structures]
    for name in found.variables:
        pairs.append((updates[0].get(name), updates[1].get(steps.variables[name])))
    return pairs


def _reader_of(variables: Sequence[str], steps: Lockstep) -> Divergence:
    """The op that reads a variable which the new program does not have."""
    for number in sorted(steps.theirs.at):
        with steps.playing() as (old, _):
            structure = _structure(old, steps.theirs, number)
        reading = {each for name in variables for each in structure.consumers.get(f"{name}:0", ())}
        readers = [each for each in structure.points if each in reading and node_of(each) not in structure.updates]
        if readers:
            view = View(structure, {}, {}, line_of(steps.theirs.trace, steps.theirs.recorded.number))
            seen = view.seen(readers[0])
            return divergence(number, Evidence(seen, None, None, (seen,), (), None, None), steps.tolerance)
    raise NoSearchError(
        f"the new program has no variable {variables[0]}, and no call reads it", "look where it is made"
    )
