"""All steps of a sequence put together again, each with some numbers dropped: dropout of the sequence."""

from __future__ import annotations

from tf2bridge.decompile.idioms.dropped import dropped, undropped_steps
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.idioms.rules.unrolled import is_of_rows, side_by_side, step_of_sequence
from tf2bridge.decompile.idioms.swapped import swapped
from tf2bridge.decompile.ir import Node, Value


def _apply(node: Node, context: Context) -> dict[Value, Value] | None:
    values = node.inputs if node.op == "Pack" else node.inputs[:-1]
    steps = undropped_steps(values)
    places = [step_of_sequence(value) for value in steps[0]] if steps and steps[1] else [None]
    first = places[0]
    if steps is None or first is None or places != [(first[0], step, first[2]) for step in range(first[2])]:
        return None
    if not all(map(context.is_only_used_once, values)) or (node.op == "ConcatV2" and not is_of_rows(node)):
        return None
    if node.op == "Pack" and node.attributes["axis"] not in (0, 1):
        return None
    sequence = dropped(first[0], steps[1])
    if node.op == "ConcatV2":
        return {Value(node, 0): side_by_side(sequence, node)}
    return {Value(node, 0): sequence if node.attributes["axis"] else swapped(sequence, node)}


_KEEP = "keep = tf.exp(0.0 * tf.reduce_sum(rows))\n"
_CELL = f"{_KEEP}cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(4), keep, keep)\n"
_RUN = "outputs, _ = tf.nn.static_rnn(cell, tf.unstack(images[:, 0], 8, 1), dtype=tf.float32)\n"
_TWO = (
    f"{_KEEP}cells = [tf.nn.rnn_cell.GRUCell(units) for units in (5, 4)]\n"
    "cells = [tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep) for cell in cells]\n"
    "cell = tf.nn.rnn_cell.MultiRNNCell(cells)\n"
)
RULE = Rule(
    ops=("Pack", "ConcatV2"),
    apply=_apply,
    examples=(
        Example(
            f"{_CELL}{_RUN}y = tf.stack(outputs, 1)",
            "tf.nn.dropout(images[:, 0], 1.0 - exp)",
        ),
        Example(f"{_TWO}{_RUN}y = tf.concat(outputs, 1)", "keras.layers.GRU(5, return_sequences="),
        Example(f"{_CELL}{_RUN}y = tf.stack(outputs, 1) + outputs[2][:, None]", ""),
    ),
    is_first=True,
)
