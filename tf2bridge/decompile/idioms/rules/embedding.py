"""Rows of a matrix of weights, by their numbers: `keras.layers.Embedding`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, layer_node
from tf2bridge.decompile.idioms.matching import number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node


def _apply(node: Node, context: Context) -> Node | None:
    weights, rows = node.inputs[:2]
    table, sizes = context.variable(weights), known_shape(weights)
    if table is None or sizes is None or len(sizes) != 2 or rows.node.op == "Const" or shape_of(rows) is None:
        return None
    if node.attributes.get("batch_dims") or (len(node.inputs) > 2 and number(node.inputs[2]) != 0):
        return None
    layer = Layer("keras.layers.Embedding", sizes, (("embeddings", table),), dtype_keyword(weights), table)
    return layer_node(node, layer, [rows])


RULE = Rule(
    ops=("Gather", "GatherV2", "ResourceGather"),
    apply=_apply,
    examples=(
        Example(
            "w = tf.get_variable('w', [9, 3])\ny = tf.nn.embedding_lookup(w, numbers)", "keras.layers.Embedding(9, 3)"
        ),
        Example(
            "w = tf.get_variable('w', [9, 3])\ny = tf.nn.embedding_lookup(w, numbers) + tf.reduce_sum(w)",
            "tf.reduce_sum(self.w.embeddings)",
        ),
        Example(
            "w = tf.get_variable('w', [9, 3])\ny = tf.reduce_sum(w) * tf.nn.embedding_lookup(w, numbers)",
            "",
        ),
    ),
)
