"""A whole LSTM in one operation, as `tf.contrib.rnn.LSTMBlockFusedCell` has it: its layer.

Without lengths, the cell gives the results and states of all steps, of which the last ones are sliced. With lengths, it
multiplies the results with a mask, and gathers the last states of each row.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tf2bridge.decompile.idioms.cells import Cell, lstm_of
from tf2bridge.decompile.idioms.matching import is_size, match, number
from tf2bridge.decompile.idioms.recurrent_layers import is_zero, recurrent_layer, valid_steps
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.idioms.swapped import batch_first, swapped
from tf2bridge.decompile.ir import Node, Value, array_of

_STATES, _RESULTS = 1, 6
"""The numbers of the outputs that have the states c and the results of all steps, with time as the first axis."""
_MASKS = (
    "Mul(results, Tile(ExpandDims(Transpose(Cast(Less(times, Cast(ExpandDims(lengths, last)))), order), end), sizes))",
    "Mul(results, Tile(ExpandDims(Transpose(Cast(Less(times, ExpandDims(lengths, last))), order), end), sizes))",
)
_LONGEST = ("Cast(Max(lengths, 0))", "Max(lengths, 0)")
_LAST = "GatherNd(ConcatV2(ExpandDims(start, 0), sequence, 0), Pack(lengths, rows))"


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    cell = _cell(node, context)
    if cell is None or any(context.is_used(Value(node, port)) for port in (0, 2, 3, 4, 5)):
        return None
    if _is_whole(node):
        return _without_lengths(node, cell, context)
    return _with_lengths(node, cell, context)


def _cell(node: Node, context: Context) -> Cell | None:
    names = ("x", "c0", "h0", "kernel", "wi", "wf", "wo", "bias")
    parts = dict(zip(names, node.inputs[1:], strict=True)) | {"c": Value(node, _STATES)}
    options = {"peepholes": True} if node.attributes["use_peephole"] else {}
    if not options:
        parts = {name: value for name, value in parts.items() if name not in ("wi", "wf", "wo")}
    if node.attributes["cell_clip"] > 0:
        return None  # its gradient passes the clip as if nothing was clipped
    forget = float(np.float32(node.attributes["forget_bias"]))
    return lstm_of(Value(node, _RESULTS), parts, options, forget, context)


def _is_whole(node: Node) -> bool:
    """Returns True if all steps of the sequence are run."""
    steps, x = node.inputs[:2]
    shape = shape_of(x)
    if shape and shape[0] is not None and number(steps) == shape[0]:
        return True
    size = steps.node.inputs[0] if steps.node.op == "Cast" else steps
    return is_size(size, x, 0)


def _called(node: Node, cell: Cell, lengths: Value | None, with_states: bool) -> Node:
    x = batch_first(cell.x)
    steps = (shape_of(cell.x) or (None,))[0]
    mask = None if lengths is None else valid_steps(node, lengths, x, steps)
    start = [] if all(map(is_zero, cell.before)) else list(cell.before)
    states = [value.spec for value in cell.before] if with_states else []
    return recurrent_layer(node, cell, x, start, states, True, mask)


def _without_lengths(node: Node, cell: Cell, context: Context) -> Mapping[Value, Value] | None:
    of_states = context.users(Value(node, _STATES))
    if not all(user is not None and _is_last(user) for user in of_states):
        return None
    called = _called(node, cell, None, bool(of_states))
    replacements = {Value(node, _RESULTS): swapped(Value(called, 0), node)}
    return replacements | {Value(user, 0): Value(called, 2) for user in of_states if user is not None}


def _is_last(user: Node) -> bool:
    """Returns True for `sequence[-1]`."""
    names = match(Value(user, 0), "StridedSlice(sequence, -1, 0, 1)")
    masks = {"shrink_axis_mask": 1, "begin_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0}
    return names is not None and all(user.attributes[name] == value for name, value in masks.items())


def _with_lengths(node: Node, cell: Cell, context: Context) -> Mapping[Value, Value] | None:
    products = context.users(Value(node, _RESULTS))
    lengths = {_lengths(user, node) for user in products}
    length = lengths.pop() if lengths else None
    if length is None or lengths:
        return None
    if not any(match(node.inputs[0], pattern, {"lengths": length}) for pattern in _LONGEST):
        return None
    results, states = [user for user in products if user is not None], Value(node, _STATES)
    gathered = {of: _gathered(of, length, context) for of in (states, *(Value(user, 0) for user in results))}
    if gathered[states] is None:
        return None
    called = _called(node, cell, length, any(gathered.values()))
    replacements = {Value(user, 0): swapped(Value(called, 0), user) for user in results}
    for of, users in gathered.items():
        place = 2 if of == states else 1
        starts = cell.before[place - 1]
        for user in users or ():
            start = match(Value(user, 0), _LAST)
            if start is not None and start["start"] == starts:
                replacements[Value(user, 0)] = Value(called, place)
            elif of == states:
                return None
    return replacements


def _lengths(user: Node | None, node: Node) -> Value | None:
    """Returns the lengths of rows that a node masks the results with, or None if it does something else."""
    for pattern in _MASKS if user is not None else ():
        names = match(Value(user, 0), pattern, {"results": Value(node, _RESULTS)}) if user is not None else None
        times, order = (array_of(names[name]) if names else None for name in ("times", "order"))
        if names and times is not None and order is not None:
            steps = (shape_of(node.inputs[1]) or (None,))[0]
            if times.tolist() == list(range(steps or 0)) and order.tolist() == [1, 0]:
                return names["lengths"]
    return None


def _gathered(sequence: Value, lengths: Value, context: Context) -> list[Node] | None:
    """Returns the nodes that gather the last step of each row of a sequence; None if another node takes it."""
    last = []
    for joined in context.users(sequence):
        users = context.users(Value(joined, 0)) if joined is not None and joined.op == "ConcatV2" else [None]
        for user in users:
            names = {"sequence": sequence, "lengths": lengths}
            with_rows = match(Value(user, 0), _LAST, names) if user is not None else None
            if user is None or with_rows is None or not _counts(with_rows["rows"]):
                return None
            last.append(user)
    return last


def _counts(rows: Value) -> bool:
    """Returns True for 0, 1, 2 and so on."""
    array = array_of(rows)
    if array is not None:
        return bool(array.ndim == 1 and (array == np.arange(array.size)).all())
    return match(rows, "Range(0, count, 1)") is not None


_CELL = "x = tf.transpose(images[:, 0], [1, 0, 2])\ncell = tf.contrib.rnn.LSTMBlockFusedCell(4{})\n"
_LENGTHS = "y, state = cell(x, dtype=tf.float32, sequence_length=numbers[:, 0])\n"
RULE = Rule(
    ops=("BlockLSTM",),
    apply=_apply,
    examples=(
        Example(
            _CELL.format("") + "y = tf.transpose(cell(x, dtype=tf.float32)[0], [1, 0, 2])",
            "keras.layers.LSTM(4, return_sequences=True)",
        ),
        Example(
            _CELL.format("") + "y, state = cell(x, dtype=tf.float32)\ny = y * state[0]",
            "keras.layers.LSTM(4, return_sequences=True, return_state=True)",
        ),
        Example(
            _CELL.format("") + _LENGTHS,
            "lstm = self.lstm_fused_cell(images[:, 0], mask=tf.sequence_mask(numbers[:, 0], 8))",
        ),
        Example(
            _CELL.format("") + _LENGTHS + "y = tf.reduce_sum(y, 0) + state[0] * state[1]",
            "keras.layers.LSTM(4, return_sequences=True, return_state=True, zero_output_for_mask=True)",
        ),
        Example(
            _CELL.format(", use_peephole=True") + _LENGTHS,
            "recurrent.LSTM(4, return_sequences=True, zero_output_for_mask=True, peepholes=True)",
        ),
        Example(_CELL.format(", cell_clip=0.1") + _LENGTHS, ""),
        Example(
            _CELL.format("") + "states = cell(x, dtype=tf.float32)\n"
            "block = states[0].op.inputs[0] if states[0].op.type == 'Identity' else states[0]\n"
            "y = [op for op in block.graph.get_operations() if op.type == 'BlockLSTM'][0].outputs[1]",
            "",
        ),
    ),
    is_first=True,
)
