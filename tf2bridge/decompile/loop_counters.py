"""Counters of a loop that are always equal: TensorFlow 1.x has one for the loop, and one for time or each decoder."""

from __future__ import annotations

from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes
from tf2bridge.decompile.unused_results import replace_nodes, with_places


def with_one_counter(function: Function) -> Function:
    """Returns the function, changed: of counters that start and grow alike, each loop keeps the first one."""
    replacements: dict[Value, Value] = {}
    for loop in list(all_nodes(function)):
        if loop.op == Kind.WHILE:
            replacements |= _without_twins(loop)
    shorter = {old.node: new.node for old, new in replacements.items() if old.node.op == Kind.WHILE}
    replace_nodes(function, shorter, replacements)
    for loop in shorter.values():
        _check_once(loop.bodies[0])
    return function


def _check_once(condition: Function) -> None:
    """Leaves out the second of two checks of counters that are now the same."""
    (both,) = condition.results
    first, second = both.node.inputs if both.node.op == "LogicalAnd" else (both, None)
    if second is not None and first.node.op == second.node.op and len(first.node.inputs) == 2:
        pairs = zip(first.node.inputs, second.node.inputs, strict=True)
        if all(one == other or (number(one) is not None and number(one) == number(other)) for one, other in pairs):
            condition.results = [first]


def _without_twins(loop: Node) -> dict[Value, Value]:
    """Returns the values of a loop and of its variables -> those of a loop without the counters that others equal."""
    first_of: dict[tuple[float, float, str], int] = {}
    place_of: dict[int, int] = {}
    for place in range(len(loop.inputs)):
        counted = _counted(loop, place)
        place_of[place] = first_of.setdefault(counted, place) if counted else place
    kept = sorted(set(place_of.values()))
    if len(kept) == len(loop.inputs):
        return {}
    replacements = {
        Value(body.parameters[place], 0): Value(body.parameters[first], 0)
        for body in loop.bodies
        for place, first in place_of.items()
        if place != first
    }
    shorter = with_places(loop, kept)
    return replacements | {Value(loop, place): Value(shorter, kept.index(first)) for place, first in place_of.items()}


def _counted(loop: Node, place: int) -> tuple[float, float, str] | None:
    """Returns the start, the step and the type of the counter that a variable of a loop is, or None."""
    body = loop.bodies[1]
    variable = Value(body.parameters[place], 0)
    start, names = number(loop.inputs[place]), match(body.results[place], "Add(x, step)", {"x": variable})
    step = number(names["step"]) if names else None
    if start is None or step is None or not variable.spec.dtype.is_integer or variable.spec.shape != ():
        return None
    return start, step, variable.spec.dtype.name
