"""A product with a matrix of weights: `keras.layers.Dense`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, layer_node, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value


def _apply(node: Node, context: Context) -> Node | None:
    x, weights = node.inputs
    kernel, sizes = context.variable(weights), known_shape(weights)
    if kernel is None or sizes is None or context.variable(x) or not _is_batch_of_rows(x):
        return None
    if node.attributes["transpose_a"] or node.attributes["transpose_b"]:
        return None
    keywords = (("use_bias", False), *dtype_keyword(weights))
    layer = Layer("keras.layers.Dense", (sizes[1],), (("kernel", kernel),), keywords, scope_of(node.name))
    return layer_node(node, layer, [x])


def _is_batch_of_rows(value: Value) -> bool:
    shape = shape_of(value)
    return shape is not None and len(shape) == 2 and shape[1] is not None


RULE = Rule(
    ops=("MatMul",),
    apply=_apply,
    examples=(
        Example("y = tf.layers.dense(rows, 3)", "keras.layers.Dense(3)"),
        Example("w = tf.get_variable('w', [4, 3])\ny = tf.matmul(rows, w)", "keras.layers.Dense(3, use_bias=False)"),
        Example(
            "w = tf.get_variable('w', [4, 4])\ny = tf.matmul(tf.matmul(rows, w), w + 1.0)", "self.dense.kernel + 1.0"
        ),
        Example("w = tf.get_variable('w', [3, 4])\ny = tf.matmul(rows, w, transpose_b=True)", ""),
    ),
)
