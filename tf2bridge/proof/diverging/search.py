"""Finds the first op whose inputs agree and whose output does not, in the graphs of two traces.

Both graphs are run call by call from the same state, until a call leaves another state or gives other values. All
tensors of that call are then compared, in bounded memory (`looking`), from the values that differ back to those that
agree. The first op behind these is the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.comparing.aligning import unnumbered
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.comparing.two_traces import all_pairs
from tf2bridge.proof.comparing.unordered import Unordered
from tf2bridge.proof.diverging.causes.table import likely_cause
from tf2bridge.proof.diverging.divergence import Divergence
from tf2bridge.proof.diverging.lines import line_of
from tf2bridge.proof.diverging.lockstep import Lockstep, Parting, sides
from tf2bridge.proof.diverging.looking import looking_into, structure
from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen
from tf2bridge.proof.diverging.refusals import EachCallAgreesError, NoSearchError
from tf2bridge.proof.diverging.shapes import first_of_another_shape
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.diverging.suspects import Suspects, input_distances
from tf2bridge.proof.diverging.view import View
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord


def search(ours: Trace, theirs: Trace, rows: Sequence[Comparison], tolerance: Tolerance = DEFAULT) -> Divergence | None:
    """Returns the first op that makes `ours` (computed now) differ from `theirs` (recorded by genuine TensorFlow).

    rows: the result of comparing both. None if all rows passed. Raises NoSearchError if no op can be named, and
    NotPlayableError if a session cannot be run again.
    """
    absent = [row for row in rows if row.kind == "initial" and row.distance.verdict is Verdict.MISSING]
    renumbered = _renumbered(rows, absent)
    last = [*absent, *renumbered]
    bad = first_divergence([row for row in rows if row not in last]) or first_divergence(last)
    if bad is None:
        return None
    number = _call_of(bad, ours, theirs)
    unequal = [row.tensor for row in rows if row.kind == "initial" and not row.passed]
    old_side, new_side = sides(theirs, ours, number)
    steps = Lockstep(old_side, new_side, tolerance, unequal, [row.tensor for row in renumbered])
    if bad.kind == "initial" and bad.distance.verdict is Verdict.SHAPE:
        shaped = first_of_another_shape(bad.tensor, steps)
        if shaped is None:
            raise NoSearchError(
                f"{bad.tensor} has another shape, and no op before what reads it says why",
                "compare the lines that make it",
            )
        return divergence(theirs.call(shaped[0]), shaped[1], tolerance)
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
            raise _not_parted(bad, steps)
    return _looked_into(steps, parting)


def _renumbered(rows: Sequence[Comparison], absent: Sequence[Comparison]) -> list[Comparison]:
    """Returns the rows of variables whose shape differs because numbered names moved: one program has fewer of them."""
    fewer = {unnumbered(row.tensor) for row in absent}
    shaped = [row for row in rows if row.kind == "initial" and row.distance.verdict is Verdict.SHAPE]
    return [row for row in shaped if unnumbered(row.tensor) in fewer]


def _call_of(bad: Comparison, ours: Trace, theirs: Trace) -> int:
    """Returns the index of the recorded call to search."""
    if bad.kind == "feed":
        advice = "feed what was recorded with --feeds trace" if ours.pairs is None else "compare the lines that make it"
        raise NoSearchError(f"the program fed other data in {bad.step}", f"no op did that: {advice}")
    if bad.call is not None:
        if not bad.shape and bad.distance.verdict is Verdict.MISSING:
            raise NoSearchError(bad.distance.note, "make the same calls as the recorded program")
        return bad.call if bad.via else _at_position(theirs, bad.call)
    known = {call.index for _, call in all_pairs(ours, theirs) if call is not None}
    if bad.kind == "initial" and bad.distance.verdict not in (Verdict.MISSING, Verdict.SHAPE):
        records = [variable for graph in theirs.graphs for variable in graph.variables if variable.name == bad.tensor]
        first = records[0].initial_after_call
        if ours.pairs is not None:
            raise NoSearchError(
                f"{bad.tensor} begins with another value, which no call gave it", "compare the lines that make it"
            )
        if first not in known:
            raise NoSearchError(
                f"the first value of {bad.tensor} was given by a part of TensorFlow, as a Saver",
                "compare what it was restored from",
            )
        return first
    holding = [
        number for number, graph in enumerate(theirs.graphs) if any(v.name == bad.tensor for v in graph.variables)
    ]
    return max(index for index in known if theirs.call(index).graph in holding)


def _at_position(theirs: Trace, position: int) -> int:
    """Returns the index of the program's call with this number."""
    return next(call.index for call in theirs.program_calls if call.position == position)


def _not_parted(bad: Comparison, steps: Lockstep) -> NoSearchError:
    """Returns the error that says why no call differs."""
    if steps.unlike_recorded is not None:
        call, name = steps.unlike_recorded
        return EachCallAgreesError(
            f"the recorded graph itself gives another {name} in {steps.theirs.at[call].step} on this TensorFlow, as "
            "the program does",
            "a kernel computes otherwise; record with --intermediate to see which",
        )
    return EachCallAgreesError(
        f"each of the {len(steps.theirs.at)} calls agrees when both graphs begin it from the same state, so that "
        f"{bad.tensor} differs by what rounding has grown to",
        "compare fewer steps, or allow more with --rtol and --atol",
    )


def _looked_into(steps: Lockstep, parting: Parting, alone: bool = False) -> Divergence:
    """Plays the differing call again with all its tensors, and returns its first op. `alone`: see `Evidence`."""
    call = steps.theirs.at[parting.call]
    with looking_into(steps, parting.call) as looked:
        suspects = Suspects(looked.theirs, looked.ours, looked.player, steps.tolerance, alone)
        structures = looked.theirs.structure, looked.ours.structure
        ends = _ends(parting if alone else looked.parting, structures, steps)
        if not ends:
            raise NoSearchError(
                f"{call.step} parts both graphs, but not when it is run again with all its tensors fetched",
                "run it again: what two ops do to one variable at a time may come in any order",
            )
        evidence = suspects.evidence(ends)
    if evidence.theirs is None and evidence.ours is None and evidence.added is None:
        raise NoSearchError(
            f"in {call.step} every op gives the same from the same inputs, within the tolerance, and what they "
            "make together of their rounding is beyond it",
            "allow more with --rtol and --atol",
        )
    evidence = replace(
        evidence,
        unordered=_unordered(steps.unordered, call, evidence.theirs),
        unordered_here=_unordered(Unordered(steps.ours.trace), steps.ours.at[parting.call], evidence.ours),
    )
    return divergence(call, evidence, steps.tolerance)


def _unordered(known: Unordered, call: CallRecord, op: OpSeen | None) -> str:
    return known.variable(call, op.point) if op is not None else ""


def divergence(call: CallRecord, evidence: Evidence, tolerance: Tolerance) -> Divergence:
    """Returns the result for people, with its likely cause."""
    theirs, ours = evidence.theirs, evidence.ours
    mine = evidence.added or ours
    return Divergence(
        call=call.place,
        via=call.via,
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


def _ends(
    parting: Parting, structures: tuple[Structure, Structure], steps: Lockstep
) -> list[tuple[str | None, str | None]]:
    """Returns the points that differ, (recorded, new): fetches, else last updates of variables or None."""
    pairs: list[tuple[str | None, str | None]] = [(a, b) for a, b in parting.fetches if ":" in a and ":" in b]
    if pairs:  # fetches are nearer to the fault than variables, which also depend on gradients
        return pairs
    updates = [{variable: f"{name}:0" for name, variable in run.updates.items()} for run in structures]
    for name in parting.variables:
        pairs.append((updates[0].get(name), updates[1].get(steps.variables[name])))
    return pairs


def _reader_of(variables: Sequence[str], steps: Lockstep) -> Divergence:
    """Returns the op that reads a variable that the new program lacks."""
    for number in sorted(steps.theirs.at):
        with steps.playing() as (old, _):
            run = structure(old, steps.theirs, number)
        reading = {point for name in variables for point in run.consumers.get(f"{name}:0", ())}
        readers = [point for point in run.points if point in reading and node_of(point) not in run.updates]
        if readers:
            view = View(run, {}, {}, line_of(steps.theirs.trace, steps.theirs.recorded.number))
            seen = view.seen(readers[0])
            return divergence(
                steps.theirs.at[number], Evidence(seen, None, None, (seen,), (), None, None), steps.tolerance
            )
    raise NoSearchError(
        f"the new program has no variable {variables[0]}, and no call reads it", "look where it is made"
    )
