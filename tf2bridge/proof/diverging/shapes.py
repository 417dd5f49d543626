"""Where a variable has another shape in the new program: the op that makes it so, by the shapes that the graphs state.

No call of such a program can be run from the recorded state, so that no values tell the ops apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import tensorflow as tf

from tf2bridge.graph.nodes import node_of
from tf2bridge.proof.diverging.alike import loose_name, same
from tf2bridge.proof.diverging.lines import line_of
from tf2bridge.proof.diverging.lockstep import Lockstep
from tf2bridge.proof.diverging.looking import structure
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.diverging.view import View
from tf2bridge.proof.replaying.playing import Array, Playing

Shape = list[int | None]


@dataclass(frozen=True)
class _Side:
    """One side of a call."""

    player: Playing
    run: Structure

    def shape(self, point: str) -> Shape | None:
        """The shape that the graph states; None where it states none."""
        shape = self.player.graph.get_tensor_by_name(point).shape
        return None if shape.rank is None else list(shape.as_list())


def first_of_another_shape(variable: str, steps: Lockstep) -> tuple[int, Evidence] | None:
    """Returns the first op on the way to the variable's reader that gives another shape, and the call; None if none is.

    variable: its name in the recorded graph.
    """
    for number in sorted(steps.theirs.at):
        with steps.playing() as (old, new):
            theirs = _Side(old, structure(old, steps.theirs, number))
            ours = _Side(new, structure(new, steps.ours, number))
            pair = _parting(variable, theirs, ours)
            if pair is not None:
                return number, _evidence(pair, variable, steps, theirs, ours)
    return None


def _parting(variable: str, theirs: _Side, ours: _Side) -> tuple[str, str] | None:
    reading = theirs.run.consumers.get(f"{variable}:0", ())
    readers = [point for point in reading if node_of(point) not in theirs.run.updates]
    if not readers:
        return None
    before = theirs.run.before(min(readers, key=theirs.run.order.__getitem__))
    before = {point for point in before if not theirs.run.is_variable(point)}
    named = {loose_name(point): point for point in ours.run.points}
    pairs = {point: named[loose_name(point)] for point in before if loose_name(point) in named}
    for point in sorted(before, key=theirs.run.order.__getitem__):
        if point in pairs and _makes_another(point, pairs, theirs, ours):
            return point, pairs[point]
    return None


def _makes_another(point: str, pairs: Mapping[str, str], theirs: _Side, ours: _Side) -> bool:
    """Whether an op gives another shape than its namesake, and what it computes with has the same shapes."""
    if not same(theirs.run.op(point), ours.run.op(pairs[point])) or _are_alike(point, pairs[point], theirs, ours):
        return False
    given = [source for source in theirs.run.sources(point) if not theirs.run.is_variable(source)]
    return all(source in pairs and _are_alike(source, pairs[source], theirs, ours) for source in given)


def _are_alike(point: str, other: str, theirs: _Side, ours: _Side) -> bool:
    """Whether two shapes may be one; a size that is not stated may be any."""
    one, two = theirs.shape(point), ours.shape(other)
    if one is None or two is None:
        return True
    sizes = zip(one, two, strict=False)
    return len(one) == len(two) and all(a is None or b is None or a == b for a, b in sizes)


def _evidence(pair: tuple[str, str], variable: str, steps: Lockstep, theirs: _Side, ours: _Side) -> Evidence:
    lines = [line_of(side.trace, side.recorded.number) for side in (steps.theirs, steps.ours)]
    there = View(theirs.run, _constants(theirs.run), {}, lines[0]).seen(pair[0])
    here = View(ours.run, _constants(ours.run), {}, lines[1]).seen(pair[1])
    said = f"{there.name} gives the shape {theirs.shape(pair[0])} there and {ours.shape(pair[1])} here, for {variable}"
    return Evidence(there, here, None, (there,), (here,), None, None, shapes=said)


def _constants(run: Structure) -> dict[str, Array | None]:
    """The values that the graph itself states."""
    stated = [point for point in run.points if run.op(point) == "Const"]
    return {point: tf.make_ndarray(run.nodes[node_of(point)].attr["value"].tensor) for point in stated}
