"""Rows of a tensor of rank 3 or more, a layer, the shape as before: `keras.layers.Dense` of the tensor itself.

`tf.tensordot` and `tf.layers.dense` write this in TensorFlow 1.x.
"""

from __future__ import annotations

from dataclasses import replace

from tf2bridge.decompile.idioms.layer import extended, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value
from tf2bridge.decompile.sizes import are_sizes_of, sizes_of


def _apply(node: Node, context: Context) -> Node | None:
    called = node.inputs[0].node
    if called.op != Kind.LAYER or not context.is_only_used_once(node.inputs[0]):
        return None
    layer, rows = called.attributes["layer"], called.inputs[0].node
    if layer.kind != "keras.layers.Dense" or rows.op != "Reshape":
        return None
    x = rows.inputs[0]
    shape, row = shape_of(x), shape_of(Value(rows, 0))
    if shape is None or row is None or len(shape) < 3 or shape[-1] is None or shape[-1] != row[-1]:
        return None
    sizes = sizes_of(node.inputs[1])
    if len(sizes) != len(shape) or sizes[-1] != layer.positional[0] or not are_sizes_of(sizes[:-1], x):
        return None
    if layer.scope.endswith("/Tensordot"):
        layer = replace(layer, scope=scope_of(layer.scope))
    return extended(node, called, layer, [x], (*shape[:-1], layer.positional[0]))


RULE = Rule(
    ops=("Reshape",),
    apply=_apply,
    examples=(
        Example("y = tf.layers.dense(images, 4)", "keras.layers.Dense(4)"),
        Example(
            "x = tf.placeholder_with_default(images, [None, None, None, 3])\ny = tf.layers.dense(x, 4, tf.nn.relu)",
            "keras.layers.Dense(4, activation='relu')",
        ),
        Example(
            "w = tf.get_variable('w', [3, 5])\ny = tf.tensordot(images, w, 1)", "keras.layers.Dense(5, use_bias=False)"
        ),
        Example(
            "x = tf.layers.dense(tf.reshape(images, [-1, 3]), 5, tf.tanh)\ny = tf.reshape(x, [-1, 8, 8, 5])",
            "keras.layers.Dense(5, activation='tanh')",
        ),
        Example("x = tf.layers.dense(tf.reshape(images, [-1, 3]), 5)\ny = tf.reshape(x, [-1, 4, 16, 5])", ""),
        Example("y = tf.reshape(tf.layers.dense(tf.reshape(images[:1, :1, :1], [-1, 3]), 1), [])", ""),
    ),
)
