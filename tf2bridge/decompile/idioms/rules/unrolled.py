"""A recurrent cell at each step of a sequence in turn, as `tf.nn.static_rnn` of TensorFlow 1.x writes it: its layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.cells import Cell, cell_of
from tf2bridge.decompile.idioms.dropped import dropped, undropped, undropped_steps
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.recurrent_layers import is_zero, recurrent_layer
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.idioms.swapped import batch_first, is_swap, swapped
from tf2bridge.decompile.ir import Node, Spec, Value, array_of, constant_node

_WITHIN = {"LSTM": 1, "GRU": 3, "SimpleRNN": 1}
"""The class of a layer -> how many nodes of the next step take the result of a step."""


_OF_INPUT = {"LSTM": 1, "GRU": 2, "SimpleRNN": 1}
"""The class of a layer -> how many nodes of a step take its input."""


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    last = cell_of(Value(node, 0), context)
    place = step_of_sequence(undropped(last.x)[0]) if last else None
    if last is None or place is None or place[1] != place[2] - 1:
        return None
    cells = _chain(last, context)
    x = _sequence(cells, context)
    if len(cells) < 2 or len(cells) != place[2] or x is None:
        return None
    if any(len(context.users(value)) > 2 for cell in cells[:-1] for value in cell.after[1:]):
        return None  # something takes an inner state
    is_whole = any(len(context.users(cell.after[0])) > _WITHIN[cell.kind] for cell in cells[:-1])
    with_states = any(len(context.users(value)) > 1 for value in last.after[1:])
    start = [] if all(map(is_zero, cells[0].before)) else cells[0].before
    states = [value.spec for value in last.after] if with_states else []
    called = recurrent_layer(node, last, x, start, states, is_whole)
    replacements = {value: Value(called, 2 + place) for place, value in enumerate(last.after[1:]) if with_states}
    if is_whole:
        results = [cell.after[0] for cell in cells]
        steps = [*range(len(cells) - 1), -1]
        replacements |= {value: _slice(Value(called, 0), step) for value, step in zip(results, steps, strict=True)}
        return replacements | _stacks(results, Value(called, 0), context)
    return replacements | {last.after[0]: Value(called, 0)}


def _chain(last: Cell, context: Context) -> list[Cell]:
    """Returns the cells with the same weights that lead to the last one, each of which takes the states before."""
    cells = [last]
    while True:
        before = cell_of(cells[0].before[0], context)
        if before is None or before.weights != last.weights or before.after != cells[0].before:
            return cells
        cells.insert(0, before)


def step_of_sequence(value: Value) -> tuple[Value, int, int] | None:
    """Returns a sequence with rows as the first axis, which of its steps a value is, and how many there are; or None.

    The sequence may be one that has time as the first axis, in place of which it stands.
    """
    node = value.node
    shape = shape_of(node.inputs[0]) if node.op in ("Unpack", "StridedSlice") else None
    if node.op == "Unpack" and shape is not None and len(shape) == 3 and node.attributes["axis"] in (0, 1):
        return node.inputs[0], value.port, len(node.outputs)
    if node.op == "Split":
        rows = match(node.inputs[1], "Reshape(swapped, sizes)")
        shape = shape_of(rows["swapped"].node.inputs[0]) if rows and is_swap(rows["swapped"]) else None
        if rows is None or shape is None or array_of(rows["sizes"]) is None or shape[1] != len(node.outputs):
            return None
        is_rows = array_of(rows["sizes"]).tolist() == [-1, shape[2]] and array_of(node.inputs[0]) == 0
        return (rows["swapped"].node.inputs[0], value.port, len(node.outputs)) if is_rows else None
    if node.op == "Squeeze":
        return _squeezed(node)
    step = _sliced(node) if shape is not None and len(shape) == 3 else None
    if step is None or shape is None or shape[1] is None or not -shape[1] <= step < shape[1]:
        return None
    return node.inputs[0], step % shape[1], shape[1]


def _squeezed(node: Node) -> tuple[Value, int, int] | None:
    """Returns as `step_of_sequence` for a part of `tf.split(x, steps, 1)` without its axis 1."""
    split, step = node.inputs[0]
    shape = shape_of(split.inputs[1]) if split.op == "Split" else None
    if shape is None or len(shape) != 3 or list(node.attributes["squeeze_dims"]) != [1]:
        return None
    is_of_steps = array_of(split.inputs[0]) == 1 and shape[1] == len(split.outputs)
    return (split.inputs[1], step, len(split.outputs)) if is_of_steps else None


def _sliced(node: Node) -> int | None:
    """Returns the step that `x[:, step]` takes, or None for another slice."""
    begin, _, strides = (array_of(value) for value in node.inputs[1:])
    if begin is None or strides is None or begin.size not in (2, 3) or (strides != 1).any():
        return None
    all_rows = 1 if begin.size == 2 else 5
    masks = [node.attributes[f"{name}_mask"] for name in ("begin", "end", "shrink_axis", "ellipsis", "new_axis")]
    is_step = masks[0] & all_rows == masks[1] & all_rows == all_rows and masks[2:] == [2, 0, 0]
    return int(begin[1]) if is_step else None


def _sequence(cells: Sequence[Cell], context: Context) -> Value | None:
    """Returns the sequence whose steps cells take one after the other, with rows as the first axis."""
    steps = undropped_steps([cell.x for cell in cells])
    places = [step_of_sequence(value) for value in steps[0]] if steps else [None]
    first = places[0]
    if steps is None or first is None or places != [(first[0], step, first[2]) for step in range(len(cells))]:
        return None
    values, dropout = steps
    if dropout and any(len(context.users(cell.x)) > _OF_INPUT[cell.kind] for cell in cells):
        return None  # something else takes what is left of a step
    x, node = first[0], values[0].node
    if node.op == "Unpack" and node.attributes["axis"] == 0:
        x = batch_first(x)
    return dropped(x, dropout) if (shape_of(x) or ())[2:] == (cells[0].inputs,) else None


def _slice(sequence: Value, step: int) -> Value:
    """Returns `sequence[:, step]`."""
    owner, shape = sequence.node.owner, shape_of(sequence)
    bounds = [[0, step], [0, step + 1], [1, 1]]
    name = f"{sequence.node.name}/step"
    constants = [constant_node(name, np.array(bound, np.int32), tf.int32, owner) for bound in bounds]
    masks = {"begin_mask": 1, "end_mask": 1, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 2}
    spec = Spec(sequence.spec.dtype, None if shape is None else (shape[0], shape[2]))
    inputs = [sequence, *(Value(constant, 0) for constant in constants)]
    return Value(Node(name, "StridedSlice", inputs, masks, [spec], owner), 0)


def _stacks(results: Sequence[Value], sequence: Value, context: Context) -> dict[Value, Value]:
    """Returns the values that put all results together -> the same of the sequence that a layer gives."""
    stacks = {}
    users = [user for user in context.users(results[-1]) if user is not None]
    for user in users:
        if user.op == "Pack" and user.inputs == list(results) and user.attributes["axis"] in (0, 1):
            stacks[Value(user, 0)] = sequence if user.attributes["axis"] else swapped(sequence, user)
        elif user.op == "ConcatV2" and user.inputs[:-1] == list(results) and is_of_rows(user):
            stacks[Value(user, 0)] = side_by_side(sequence, user)
    return stacks


def is_of_rows(node: Node) -> bool:
    """Returns True for a concatenation into longer rows whose length is known."""
    shape = shape_of(Value(node, 0))
    return array_of(node.inputs[-1]) == 1 and shape is not None and shape[1] is not None


def side_by_side(sequence: Value, node: Node) -> Value:
    """Returns the results of all steps beside each other, in place of the node that puts them there."""
    sizes = [-1, *(shape_of(Value(node, 0)) or ())[1:]]
    constant = constant_node(f"{node.name}/shape", np.array(sizes, np.int32), tf.int32, node.owner)
    attributes = {"T": sequence.spec.dtype, "Tshape": tf.int32}
    return Value(
        Node(node.name, "Reshape", [sequence, Value(constant, 0)], attributes, node.outputs[:1], node.owner), 0
    )


_STEPS = "steps = tf.unstack(images[:, 0], 8, 1)\n"
_LSTM = f"{_STEPS}cell = tf.nn.rnn_cell.BasicLSTMCell(4)\n"
_RUN = "outputs, state = tf.nn.static_rnn(cell, steps, dtype=tf.float32)\n"
RULE = Rule(
    ops=("Mul", "Add", "AddV2", "Tanh"),
    apply=_apply,
    examples=(
        Example(f"{_LSTM}{_RUN}y = outputs[-1]", "keras.layers.LSTM(4)"),
        Example(f"{_LSTM}{_RUN}y = outputs[-1] + outputs[2]", "lstm[:, -1] + lstm[:, 2]"),
        Example(f"{_LSTM}{_RUN}y = tf.stack(outputs, 1)", "keras.layers.LSTM(4, return_sequences=True)"),
        Example(f"{_LSTM}{_RUN}y = tf.reshape(tf.concat(outputs, 1), [-1, 4])", "tf.reshape(self.basic_lstm_cell("),
        Example(f"{_LSTM}{_RUN}y = outputs[-1] * state.c", "keras.layers.LSTM(4, return_state=True)"),
        Example(
            f"{_STEPS}cell = tf.nn.rnn_cell.GRUCell(4)\ny = tf.nn.static_rnn(cell, steps, tf.square(rows))[0][-1]",
            "initial_state=[tf.square(rows)]",
        ),
        Example(
            "cells = tf.nn.rnn_cell.BasicRNNCell(4), tf.nn.rnn_cell.BasicLSTMCell(5)\n"
            "cell = tf.nn.rnn_cell.MultiRNNCell(cells)\n"
            "rows_of = tf.reshape(tf.transpose(images[:, 0], [1, 0, 2]), [-1, 3])\n"
            "steps = tf.split(rows_of, 8, 0)\n"
            f"{_RUN}y = outputs[-1]",
            "keras.layers.SimpleRNN(4, return_sequences=True)",
        ),
        Example(
            "steps = [tf.squeeze(step, [1]) for step in tf.split(images[:, 0], 8, 1)]\n"
            f"cell = tf.nn.rnn_cell.BasicLSTMCell(4)\n{_RUN}y = tf.reshape(tf.concat(outputs, 1), [-1, 4])",
            "keras.layers.LSTM(4, return_sequences=True)",
        ),
        Example(f"{_LSTM}steps = steps[::-1]\n{_RUN}y = outputs[-1]", ""),
    ),
    is_first=True,
)
