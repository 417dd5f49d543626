"""Loops of recurrent cells over a sequence: `keras.layers.LSTM`, `keras.layers.GRU`, `keras.layers.SimpleRNN`."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.decompile.idioms.cells import Cell
from tf2bridge.decompile.idioms.loops import loop_of
from tf2bridge.decompile.idioms.matching import number
from tf2bridge.decompile.idioms.recurrent_layers import is_zero, recurrent_layer, valid_steps
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.idioms.steps import over_sequence
from tf2bridge.decompile.idioms.swapped import batch_first, is_swap, swapped
from tf2bridge.decompile.ir import Kind, Node, Value


def _apply(node: Node, context: Context) -> dict[Value, Value] | None:
    loop = loop_of(node, context)
    if loop is None:
        return None
    used = [place for place in range(len(node.outputs)) if context.is_used(Value(node, place))]
    if not {place for states in loop.states for place in states} | {loop.output} >= set(used):
        return None
    stacks = [] if loop.output is None else context.users(Value(node, loop.output))
    if not all(stack is not None and stack.op == "TensorListStack" for stack in stacks):
        return None
    x = batch_first(loop.x)
    count = number(loop.steps)
    mask = None if loop.lengths is None else valid_steps(node, loop.lengths, x, None if count is None else int(count))
    replacements: dict[Value, Value] = {}

    def called(cell: Cell, x: Value) -> Value:
        states = loop.states[loop.cells.index(cell)]
        is_whole = bool(stacks) or cell is not loop.cells[-1]
        layer = _called(node, cell, states, [place for place in states if place in used], x, mask, is_whole)
        replacements.update(_states(node, states, layer))
        return Value(layer, 0)

    x = over_sequence(loop.step, x, called)
    if mask is not None and not loop.step.is_zero_where_invalid:
        x = _zero_where_invalid(node, x, mask)
    for stack in stacks:
        replacements |= _results(stack, x, context) if stack is not None else {}
    return {value: better for value, better in replacements.items() if context.is_used(value)}


def _zero_where_invalid(node: Node, x: Value, mask: Value) -> Value:
    """Returns a sequence with zeros where a step is not valid."""
    template = "tf.where(_1[:, :, tf.newaxis], _0, 0.0)"
    attributes = {"template": template, "keras template": "keras.ops.where(_1[:, :, None], _0, 0.0)"}
    return Value(Node(f"{node.name}/valid", Kind.EXPRESSION, [x, mask], attributes, [x.spec], node.owner), 0)


def _called(
    node: Node, cell: Cell, places: Sequence[int], used: Sequence[int], x: Value, mask: Value | None, is_whole: bool
) -> Node:
    """Returns the call of the layer for one cell of a loop.

    Args:
        node: The loop as a node.
        cell: The cell.
        places: The numbers of the loop's values that are its states.
        used: Those of them that are used after the loop.
        x: The sequence that the layer takes.
        mask: Which steps are valid, or None for all.
        is_whole: The results of all steps are used.
    """
    start = [node.inputs[place] for place in places]
    start = [] if all(map(is_zero, start)) else start
    last = not is_whole and list(used) == [places[0]] and not (mask and start)  # a row may have no valid step
    states = [node.outputs[place] for place in places] if used and not last else []
    return recurrent_layer(node, cell, x, start, states, is_whole, mask)


def _states(node: Node, places: Sequence[int], called: Node) -> dict[Value, Value]:
    """Returns the states after a loop -> those that a layer gives; its result, if it gives nothing else."""
    if len(called.outputs) == 1:
        return {Value(node, places[0]): Value(called, 0)}
    return {Value(node, place): Value(called, 1 + order) for order, place in enumerate(places)}


def _results(stack: Node, x: Value, context: Context) -> dict[Value, Value]:
    """Returns the results of a loop with time first, or their transpose -> the results of layers."""
    users = context.users(Value(stack, 0))
    back = [user for user in users if user is not None and is_swap(Value(user, 0))]
    replacements = {Value(user, 0): x for user in back}
    if len(back) < len(users):
        replacements[Value(stack, 0)] = swapped(x, stack)
    return replacements


_LSTM = "cell = tf.nn.rnn_cell.BasicLSTMCell(4)\n"
_GRU = "cell = tf.nn.rnn_cell.GRUCell(4)\n"
_KEEP = "keep = tf.exp(0.0 * tf.reduce_sum(rows))\n"
_RUN = "tf.nn.dynamic_rnn(cell, images[:, 0], dtype=tf.float32)"
RULE = Rule(
    ops=(Kind.WHILE,),
    apply=_apply,
    examples=(
        Example(f"{_LSTM}y, _ = {_RUN}", "keras.layers.LSTM(4, return_sequences=True)"),
        Example(
            f"{_LSTM}y = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], dtype=tf.float32)[0]",
            "mask=tf.sequence_mask(numbers[:, 0], 8)",
        ),
        Example(
            "cell = tf.nn.rnn_cell.LSTMCell(4, forget_bias=0.5)\n"
            "outputs, state = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0] - 2, dtype=tf.float32)\n"
            "y = tf.reduce_sum(outputs, 1) + state.c",
            "keras.layers.LSTM(4, return_sequences=True, return_state=True, zero_output_for_mask=True)",
        ),
        Example(
            f"{_LSTM}start = tf.nn.rnn_cell.LSTMStateTuple(rows, tf.square(rows))\n"
            "y = tf.nn.dynamic_rnn(cell, images[:, 0], initial_state=start)[0]",
            "initial_state=[tf.square(rows), rows]",
        ),
        Example(f"{_LSTM}y = {_RUN}[1].h", "keras.layers.LSTM(4)"),
        Example(f"{_LSTM}y = {_RUN}[1].c", "keras.layers.LSTM(4, return_state=True)"),
        Example(
            f"{_GRU}y = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], dtype=tf.float32)[1]",
            "keras.layers.GRU(4, reset_after=False)",
        ),
        Example(
            f"{_GRU}y = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], rows)[1]",
            "keras.layers.GRU(4, return_state=True, reset_after=False)",
        ),
        Example(
            f"{_GRU}x = tf.placeholder_with_default(images[:, 0], [None, None, 3])\n"
            "y = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0]",
            "keras.layers.GRU(4, return_sequences=True, reset_after=False)",
        ),
        Example(f"{_GRU}y = {_RUN}[0]", "keras.layers.GRU(4, return_sequences=True, reset_after=False)"),
        Example(
            f"cell = tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(4)\ny = {_RUN}[0]",
            "keras.layers.GRU(4, return_sequences=True)",
        ),
        Example(
            f"{_GRU}outputs, state = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], rows)\n"
            "y = tf.reduce_sum(outputs, 1) * state",
            "initial_state=[rows]",
        ),
        Example(
            "cell = tf.nn.rnn_cell.BasicRNNCell(4)\n"
            "x = tf.transpose(images[:, 0], [1, 0, 2])\n"
            "y = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, time_major=True)[0]",
            "tf.transpose(self.basic_rnn_cell(images[:, 0]), [1, 0, 2])",
        ),
        Example(
            "cells = tf.nn.rnn_cell.BasicLSTMCell(5), tf.nn.rnn_cell.GRUCell(4)\n"
            "cell = tf.nn.rnn_cell.MultiRNNCell(cells)\n"
            f"y, states = {_RUN}\n"
            "y = tf.reduce_sum(y) + tf.reduce_sum(states[0].c) + states[1]",
            "keras.layers.LSTM(5, return_sequences=True, return_state=True)",
        ),
        Example(
            f"cell = tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True)\ny = {_RUN}[0]",
            "recurrent.LSTM(4, return_sequences=True, peepholes=True)",
        ),
        Example(
            "cell = tf.nn.rnn_cell.LSTMCell(5, num_proj=3, forget_bias=0.5, cell_clip=0.2, proj_clip=0.1)\n"
            "y, state = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], dtype=tf.float32)\n"
            "y = tf.reduce_sum(y) + tf.reduce_sum(state.c) + state.h",
            "cell_clip=0.2,",
        ),
        Example(
            "cell = tf.contrib.rnn.LayerNormBasicLSTMCell(4, forget_bias=0.5)\n"
            "y = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], dtype=tf.float32)[0]",
            "recurrent.LayerNormLSTM(4, return_sequences=True, zero_output_for_mask=True, forget_bias=0.5)",
        ),
        Example(
            f"{_GRU}y = {_RUN}[0] + tf.reduce_sum(cell.trainable_variables[0])",
            "recurrent.GRU(4, return_sequences=True)",
        ),
        Example(
            "cell = tf.nn.rnn_cell.BasicLSTMCell(4, forget_bias=0.5)\n"
            f"y = {_RUN}[0] + tf.nn.l2_loss(cell.trainable_variables[0])",
            "recurrent.LSTM(4, return_sequences=True, forget_bias=0.5)",
        ),
        Example(
            f"cell = tf.nn.rnn_cell.BasicRNNCell(4)\ny = {_RUN}[0] + tf.nn.l2_loss(cell.trainable_variables[0])",
            "recurrent.SimpleRNN(4, return_sequences=True)",
        ),
        Example(
            f"{_KEEP}{_LSTM}cell = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep)\ny = {_RUN}[0]",
            "tf.nn.dropout(self.basic_lstm_cell(images[:, 0]), 1.0 - ",
        ),
        Example(
            f"{_KEEP}cells = [tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), keep, keep) for _ in range(3)]\n"
            "cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.ResidualWrapper(cell) for cell in cells])\n"
            "y = tf.nn.dynamic_rnn(cell, images[:, 0], numbers[:, 0], dtype=tf.float32)[0]",
            "tf.where(mask[:, :, tf.newaxis], add + tf.nn.dropout(gru, 1.0 - exp), 0.0)",
        ),
        Example(f"{_KEEP}{_LSTM}cell = tf.nn.rnn_cell.DropoutWrapper(cell, state_keep_prob=keep)\ny = {_RUN}[0]", ""),
        Example(f"cell = tf.nn.rnn_cell.GRUCell(4, activation=tf.nn.relu)\ny = {_RUN}[0]", ""),
    ),
    is_first=True,
)
