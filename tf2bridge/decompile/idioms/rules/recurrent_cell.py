"""One step of an LSTM or GRU cell, where no layer takes the whole sequence, as in a decoder: the cell of Keras."""

from __future__ import annotations

from collections.abc import Mapping

from tf2bridge.decompile.idioms.cells import Cell, cell_of
from tf2bridge.decompile.idioms.layer import OUTPUT_NAMES, Layer, dtype_keyword, layer_node, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value

_STATES = {"LSTM": ("h", "c"), "GRU": ("h",)}
"""The class of a layer -> the names of its states. A simple cell is no more than a dense layer of both inputs."""


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    cell = cell_of(Value(node, 0), context)
    if cell is None or cell.kind not in _STATES or len(shape_of(cell.x) or ()) != 2:
        return None
    if node.op == "MatMul" and not _is_projection(node, cell, context):
        return None
    weights = tuple((name.removeprefix("cell."), weight) for name, weight in cell.weights)
    keywords = (*cell.options, *dtype_keyword(cell.kernel))
    layer = Layer(f"{cell.layer}Cell", (cell.made_with or cell.units,), weights, keywords, cell.scope)
    states = ", ".join(f"_{1 + place}" for place in range(len(cell.before)))
    call = f"_layer(_0, [{states}])[{1 if cell.after[1:] else 0}]"
    called = layer_node(node, layer, [cell.x, *cell.before], call, [value.spec for value in cell.after])
    called.name = f"{scope_of(node.name)}/{cell.kind.lower()}"
    called.attributes[OUTPUT_NAMES] = _STATES[cell.kind]
    return {value: Value(called, port) for port, value in enumerate(cell.after)}


def _is_projection(node: Node, cell: Cell, context: Context) -> bool:
    """Returns True if a product is a part of a cell, not a dense layer after it: its matrix is in the cell's scope."""
    variable = context.variable(node.inputs[1])
    return variable is not None and variable.startswith(f"{cell.scope}/") and context.is_only_used_once(node.inputs[0])


_KEEP = "keep = tf.exp(0.0 * tf.reduce_sum(rows))\n"
_LSTM = "cell = tf.nn.rnn_cell.BasicLSTMCell(4)\n"
_STEP = "h, state = cell(rows, cell.zero_state(tf.shape(rows)[0], tf.float32))\n"
RULE = Rule(
    ops=("Mul", "Add", "AddV2", "MatMul", "Maximum", "ClipByValue"),
    apply=_apply,
    examples=(
        Example(f"{_LSTM}{_STEP}y = h * state.c", "keras.layers.LSTMCell(4)"),
        Example(
            "cell = tf.nn.rnn_cell.GRUCell(4)\ny = cell(rows, tf.square(rows))[0]",
            "keras.layers.GRUCell(4, reset_after=False)",
        ),
        Example(
            f"{_KEEP}{_LSTM}cell = tf.nn.rnn_cell.DropoutWrapper(cell, state_keep_prob=keep)\n"
            "y = tf.nn.dynamic_rnn(cell, images[:, 0], dtype=tf.float32)[0]",
            "self.basic_lstm_cell(tensorlistfromtensor.read(step), [dropout, c])[1]",
        ),
        Example(
            f"cell = tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True, forget_bias=0.5)\n{_STEP}y = h * state.c",
            "recurrent.LSTMCell(4, forget_bias=0.5, peepholes=True)",
        ),
        Example(
            f"cell = tf.nn.rnn_cell.LSTMCell(5, num_proj=3, proj_clip=0.2)\n{_STEP}y = h",
            "recurrent.LSTMCell(5, projection_clip=0.2, projection=3)",
        ),
        Example(
            f"cell = tf.contrib.rnn.LayerNormBasicLSTMCell(4)\n{_STEP}y = h * state.c",
            "recurrent.LayerNormLSTMCell(4)",
        ),
        Example(
            f"cell = tf.nn.rnn_cell.GRUCell(4)\n{_STEP}y = h + tf.reduce_sum(cell.trainable_variables[0])",
            "recurrent.GRUCell(4)",
        ),
        Example(f"{_LSTM}{_STEP}y = tf.layers.dense(h, 4, use_bias=False)", "return self.dense(lstm[0])"),
        Example(f"cell = tf.nn.rnn_cell.BasicRNNCell(4)\n{_STEP}y = h", ""),
    ),
    is_second=True,
)
