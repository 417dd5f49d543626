"""Finds the op that gives a variable another shape in the new program, by the shapes that the graphs state.

The calls of such a program cannot be run from the recorded state, so that there are no values to compare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.diverging.alike import loose_name, same
from tf2bridge.proof.diverging.lines import line_of
from tf2bridge.proof.diverging.lockstep import Lockstep
from tf2bridge.proof.diverging.looking import structure
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.diverging.unequal import differing
from tf2bridge.proof.diverging.view import View, attributes
from tf2bridge.proof.replaying.playing import Array, Playing

Shape = list[int | None]
_OF_SHAPES = ("_output_shapes", "shape", "output_shapes")


@dataclass(frozen=True)
class _Side:
    """One side of a call."""

    player: Playing
    run: Structure

    def shape(self, point: str) -> Shape | None:
        """Returns the shape that the graph states; None if it states none."""
        shape = self.player.graph.get_tensor_by_name(point).shape
        return None if shape.rank is None else list(shape.as_list())


def first_of_another_shape(variable: str, steps: Lockstep) -> tuple[int, Evidence] | None:
    """Returns the call, and the evidence of the first op of another shape before the variable's reader; None for none.

    If all shapes agree, an op with another attribute is the result, such as the number of buckets of a hash.

    variable: its name in the recorded graph.
    """
    by_attribute: tuple[int, Evidence] | None = None
    for number in sorted(steps.theirs.at):
        with steps.playing() as (old, new):
            theirs = _Side(old, structure(old, steps.theirs, number))
            ours = _Side(new, structure(new, steps.ours, number))
            pairs = _before_reader(variable, theirs, ours)
            for point, other in pairs.items():
                if _makes_another(point, pairs, theirs, ours):
                    difference = (
                        f"gives the shape {theirs.shape(point)} there and {ours.shape(other)} here, for {variable}"
                    )
                    return number, _evidence((point, other), difference, steps, theirs, ours)
                difference = _other_attribute(theirs.run.nodes[node_of(point)], ours.run.nodes[node_of(other)])
                if difference and by_attribute is None:
                    by_attribute = (
                        number,
                        _evidence((point, other), f"{difference}, for {variable}", steps, theirs, ours),
                    )
    return by_attribute


def _other_attribute(node: Any, other: Any) -> str:
    if not same(node.op, other.op):
        return ""
    for name, (old, new) in differing(attributes(node), attributes(other)).items():
        if isinstance(old, int | float) and name not in _OF_SHAPES:
            return f"has the {name} {old} there and {new} here"
    return ""


def _before_reader(variable: str, theirs: _Side, ours: _Side) -> Mapping[str, str]:
    """Returns the points before the first reader of a variable, each with its namesake in the new graph."""
    reading = theirs.run.consumers.get(f"{variable}:0", ())
    readers = [point for point in reading if node_of(point) not in theirs.run.updates]
    if not readers:
        return {}
    before = theirs.run.before(min(readers, key=theirs.run.order.__getitem__))
    before = {point for point in before if not theirs.run.is_variable(point)}
    named = {loose_name(point): point for point in ours.run.points}
    ordered = sorted(before, key=theirs.run.order.__getitem__)
    return {point: named[loose_name(point)] for point in ordered if loose_name(point) in named}


def _makes_another(point: str, pairs: Mapping[str, str], theirs: _Side, ours: _Side) -> bool:
    """Returns True if an op gives another shape than its namesake, and their inputs have the same shapes."""
    if not same(theirs.run.op(point), ours.run.op(pairs[point])) or _are_alike(point, pairs[point], theirs, ours):
        return False
    given = [source for source in theirs.run.sources(point) if not theirs.run.is_variable(source)]
    return all(source in pairs and _are_alike(source, pairs[source], theirs, ours) for source in given)


def _are_alike(point: str, other: str, theirs: _Side, ours: _Side) -> bool:
    """Returns True if two shapes may be equal; an unknown size may be any."""
    old, new = theirs.shape(point), ours.shape(other)
    if old is None or new is None:
        return True
    sizes = zip(old, new, strict=False)
    return len(old) == len(new) and all(a is None or b is None or a == b for a, b in sizes)


def _evidence(pair: tuple[str, str], difference: str, steps: Lockstep, theirs: _Side, ours: _Side) -> Evidence:
    lines = [line_of(side.trace, side.recorded.number) for side in (steps.theirs, steps.ours)]
    old = View(theirs.run, _constants(theirs.run), {}, lines[0]).seen(pair[0])
    new = View(ours.run, _constants(ours.run), {}, lines[1]).seen(pair[1])
    return Evidence(old, new, None, (old,), (new,), None, None, shapes=f"{old.name} {difference}")


def _constants(run: Structure) -> dict[str, Array | None]:
    """Returns the values that the graph itself states."""
    stated = [point for point in run.points if run.op(point) == "Const"]
    return {point: tf.make_ndarray(run.nodes[node_of(point)].attr["value"].tensor) for point in stated}
