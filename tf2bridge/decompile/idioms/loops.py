"""Loops over the time steps of a sequence, as `tf.nn.dynamic_rnn` of TensorFlow 1.x builds them."""

from __future__ import annotations

from dataclasses import dataclass

from tf2bridge.decompile.idioms.cells import Cell
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.recurrent_layers import is_zero
from tf2bridge.decompile.idioms.rule import Context, shape_of
from tf2bridge.decompile.idioms.steps import Step, cells_in, step_of
from tf2bridge.decompile.idioms.swapped import is_swap
from tf2bridge.decompile.ir import Node, Value

_LENGTHS = "Minimum(steps, Maximum(1, Max(lengths, 0)))"


@dataclass(frozen=True)
class Loop:
    """A loop that applies cells to the steps of a sequence.

    Attributes:
        x: The sequence, with time as the first axis.
        steps: How many steps it has.
        lengths: How many steps of each row are valid, or None for all.
        step: What one step computes, at its end.
        cells: The cells in it, each one after those whose results it takes.
        states: For each cell, the numbers of the loop's values that are its states.
        output: The number of the value that has the results of all steps, or None if nobody takes them.
    """

    x: Value
    steps: Value
    lengths: Value | None
    step: Step
    cells: tuple[Cell, ...]
    states: tuple[tuple[int, ...], ...]
    output: int | None


def loop_of(node: Node, context: Context) -> Loop | None:
    """Returns what a loop computes, or None if it is no loop of cells over the steps of a sequence."""
    condition, body = node.bodies
    lists = [place for place, value in enumerate(body.results) if value.node.op == "TensorListSetItem"]
    if len(lists) > 1 or condition.effects or body.effects or node.after:
        return None
    places = {Value(parameter, 0): place for place, parameter in enumerate(body.parameters)}
    output = lists[0] if lists else None
    last, lengths = _last(node, output, context)
    cells = cells_in(last) if last else ()
    read = match(last.first, "TensorListGetItem(items, time, shape)") if last else None
    x = _sequence(read["items"], cells[0].inputs) if read and cells else None
    steps = _steps(node, x, lengths) if x else None
    if last is None or read is None or x is None or steps is None:
        return None
    if any(before not in places for cell in cells for before in cell.before):
        return None
    states = tuple(tuple(places[before] for before in cell.before) for cell in cells)
    loop = Loop(x, steps, lengths, last, cells, states, output)
    return loop if places.get(read["time"]) in _counters(node) and _is_all(node, loop, read["time"]) else None


def _last(node: Node, output: int | None, context: Context) -> tuple[Step | None, Value | None]:
    """Returns what a step gives at its end, and how many steps of each row are valid, or None for all."""
    body = node.bodies[1]
    ends = body.results if output is None else [body.results[output].node.inputs[2]]
    steps = []
    for end in ends:
        names = match(end, "Select(GreaterEqual(time, lengths), other, valid)")
        lengths = names["lengths"] if names and len(shape_of(names["lengths"]) or (None,)) == 1 else None
        step = step_of(names["valid"] if names and lengths else end, body, context)
        if step is not None:
            steps.append((step, lengths))
    return max(steps, key=lambda pair: len(cells_in(pair[0])), default=(None, None))


def _sequence(items: Value, size: int) -> Value | None:
    """Returns the sequence, with time as the first axis, whose steps a list has, if each step has this size."""
    names = match(items, "TensorListFromTensor(x, shape)")
    x = names["x"] if names else None
    shape = shape_of(x.node.inputs[0] if is_swap(x) else x) if x else None
    return x if shape is not None and len(shape) == 3 and shape[2] == size else None


def _steps(node: Node, x: Value, lengths: Value | None) -> Value | None:
    """Returns the number of steps of a sequence if the loop ends after them, or after the longest row."""
    bounds = _bounds(node)
    steps = None
    for bound in bounds:
        steps = _without_lengths(bound) if lengths is None else None
        if lengths is not None and (names := match(bound, _LENGTHS, {"lengths": lengths})):
            steps = names["steps"]
        steps = steps or bound
        if not _is_size(steps, x):
            return None
    return steps


def _without_lengths(bound: Value) -> Value | None:
    """Returns the number of steps that `tf.nn.dynamic_rnn` takes the least and the longest row of; None for another."""
    names = match(bound, "Minimum(steps, Maximum(1, longest))")
    return names["steps"] if names and names["steps"] == names["longest"] else None


def _is_size(value: Value, x: Value) -> bool:
    """Returns True if a value is the size of the first axis of `x`."""
    shape = shape_of(x)
    if shape and shape[0] is not None and number(value) == shape[0]:
        return True
    sliced = match(value, "StridedSlice(Shape(x), 0, 1, 1)", {"x": x})
    return sliced is not None and value.node.attributes["shrink_axis_mask"] == 1


def _bounds(node: Node) -> list[Value]:
    """Returns the values that counters of a loop stay less than; nothing if its condition is another one."""
    condition, counters = node.bodies[0], _counters(node)
    pending, bounds = list(condition.results), []
    while pending:
        value = pending.pop()
        if value.node.op == "LogicalAnd":
            pending += value.node.inputs
        elif value.node.op == "Less" and value.node.inputs[0].node in [condition.parameters[at] for at in counters]:
            bounds.append(value.node.inputs[1])
        else:
            return []
    return bounds


def _counters(node: Node) -> list[int]:
    """Returns the numbers of a loop's values that count its steps from 0."""
    body = node.bodies[1]
    return [
        place
        for place, (start, result) in enumerate(zip(node.inputs, body.results, strict=True))
        if number(start) == 0 and match(result, "Add(before, 1)", {"before": Value(body.parameters[place], 0)})
    ]


def _is_all(node: Node, loop: Loop, time: Value) -> bool:
    """Returns True if a loop does nothing further: each of its values is a counter, a state, or the results."""
    places = [place for states in loop.states for place in states]
    lists = [] if loop.output is None else [loop.output]
    if sorted([*_counters(node), *places, *lists]) != list(range(len(node.inputs))):
        return False
    if not all(_is_list(node, loop, place, time) for place in lists):
        return False
    for cell, states in zip(loop.cells, loop.states, strict=True):
        for before, after, place in zip(cell.before, cell.after, states, strict=True):
            if not _is_kept(node.bodies[1].results[place], before, after, time, loop.lengths):
                return False
    return True


def _is_list(node: Node, loop: Loop, place: int, time: Value) -> bool:
    """Returns True if a value of a loop is a list that gets the result of each step, or zeros where none is valid."""
    body = node.bodies[1]
    reserved = match(node.inputs[place], "TensorListReserve(shape, steps)")
    names = {"before": Value(body.parameters[place], 0), "time": time}
    written = match(body.results[place], "TensorListSetItem(before, time, result)", names)
    if reserved is None or not _is_size(reserved["steps"], loop.x) or written is None:
        return False
    if loop.lengths is None:
        return written["result"] == loop.step.value
    names = {"time": time, "lengths": loop.lengths, "valid": loop.step.value}
    masked = match(written["result"], "Select(GreaterEqual(time, lengths), zeros, valid)", names)
    return masked is not None and is_zero(masked["zeros"])


def _is_kept(result: Value, before: Value, after: Value, time: Value, lengths: Value | None) -> bool:
    """Returns True if a state after a step is `after`, or `before` where the step is not valid."""
    if lengths is None:
        return result == after
    names = {"time": time, "lengths": lengths, "before": before, "after": after}
    return match(result, "Select(GreaterEqual(time, lengths), before, after)", names) is not None
