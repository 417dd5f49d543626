"""Rows reshaped to images of one pixel and back around a normalization: the layer takes the rows.

`tf.contrib.layers.batch_norm` reshapes them, since FusedBatchNorm takes images alone.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import INSTEAD_OF, NORMALIZATION, extended
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Kind, Node


def _apply(node: Node, context: Context) -> Node | None:
    normalized, sizes = node.inputs
    called, shape = normalized.node, match(sizes, "Shape(rows)")
    if called.op != Kind.LAYER or shape is None or not context.is_only_used_once(normalized):
        return None
    layer, rows = called.attributes["layer"], shape["rows"]
    pixels = match(called.inputs[0], "Reshape(rows, sizes)", shape)
    is_normalization = layer.kind in ("keras.layers.BatchNormalization", NORMALIZATION)
    if not is_normalization or "axis" in dict(layer.keywords) or pixels is None:
        return None
    channels = (shape_of(called.inputs[0]) or (None,))[-1]
    if channels is None or (shape_of(rows) or ())[1:] != (channels,):
        return None
    better = extended(node, called, layer, [rows, *called.inputs[1:]], shape_of(rows))
    better.attributes["template"] = called.attributes["template"]
    if called.attributes.get(INSTEAD_OF):
        better.attributes[INSTEAD_OF] = (called,)
    return better


RULE = Rule(
    ops=("Reshape",),
    apply=_apply,
    examples=(
        Example(
            "y = tf.contrib.layers.batch_norm(rows, is_training=False, scale=True)",
            "return self.batchnorm(rows)",
        ),
        Example(
            "training = tf.reduce_sum(rows) > 0.0\n"
            "y = tf.contrib.layers.batch_norm(rows, fused=True, updates_collections=None, is_training=training)",
            "return self.batchnorm(rows, training=tf.reduce_sum(rows) > 0.0)",
        ),
        Example(
            "x = tf.layers.batch_normalization(tf.reshape(rows, [-1, 1, 2, 2]), fused=True)\n"
            "y = tf.reshape(x, tf.shape(rows))",
            "",
        ),
    ),
)
