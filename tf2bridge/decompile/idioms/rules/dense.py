"""A product with a matrix of weights: `keras.layers.Dense`."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, layer_node, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Spec, Value, constant_node


def _apply(node: Node, context: Context) -> Node | None:
    given, weights = node.inputs
    kernel, sizes = context.weight(weights), known_shape(weights)
    if kernel and sizes and node.attributes["transpose_b"]:
        kernel, sizes = kernel.then("transpose"), sizes[::-1]
    x = _rows(given, sizes[0]) if sizes else None
    if kernel is None or sizes is None or x is None or context.variable(x):
        return None
    if node.attributes["transpose_a"]:
        return None
    keywords = (("use_bias", False), *dtype_keyword(weights))
    layer = Layer("keras.layers.Dense", (sizes[1],), (("kernel", kernel),), keywords, scope_of(node.name))
    return layer_node(node, layer, [x])


def _rows(value: Value, size: int) -> Value | None:
    """Returns rows of which it is known that they have this size, or None.

    The rows of a matrix product have that of the matrix. Keras must know it, too.
    """
    shape = shape_of(value)
    if shape is not None and len(shape) == 2 and shape[1] is not None:
        return value
    tensor = value.node.inputs[0] if value.node.op == "Reshape" else None
    known = shape_of(tensor) if tensor else None
    if tensor is None or not known or known[-1] != size:
        return None
    wanted = constant_node(f"{value.node.name}/shape", np.array([-1, size], np.int32), tf.int32, value.node.owner)
    attributes = {name: kept for name, kept in value.node.attributes.items() if name == "T"}
    rows = Spec(value.node.outputs[0].dtype, (None, size))
    inputs = [tensor, Value(wanted, 0)]
    return Value(Node(value.node.name, "Reshape", inputs, attributes, [rows], value.node.owner), 0)


RULE = Rule(
    ops=("MatMul",),
    apply=_apply,
    examples=(
        Example("y = tf.layers.dense(rows, 3)", "keras.layers.Dense(3)"),
        Example("w = tf.get_variable('w', [4, 3])\ny = tf.matmul(rows, w)", "keras.layers.Dense(3, use_bias=False)"),
        Example(
            "w = tf.get_variable('w', [4, 4])\ny = tf.matmul(tf.matmul(rows, w), w + 1.0)", "self.dense.kernel + 1.0"
        ),
        Example("w = tf.get_variable('w', [3, 4])\ny = tf.matmul(rows, w, transpose_b=True)", "keras.layers.Dense(3"),
        Example(
            "w = tf.get_variable('w', [1, 4, 3])\ny = tf.matmul(rows, tf.reshape(w, [-1, 3]))", "keras.layers.Dense(3"
        ),
        Example("w = tf.get_variable('w', [2, 3])\ny = tf.matmul(rows, w, transpose_a=True)", ""),
    ),
)
