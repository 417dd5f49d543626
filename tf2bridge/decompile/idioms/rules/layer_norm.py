"""Normalization of each row by its own moments: `keras.layers.LayerNormalization` (Ba et al., 2016).

TensorFlow 1.x writes it by `tf.nn.moments` and `tf.nn.batch_normalization`, as in `tf.contrib.layers.layer_norm`;
models also spell it out.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, keywords, layer_node
from tf2bridge.decompile.idioms.normalized import normalization_scope, normalized
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node

_DEFAULTS = {"axis": -1, "center": True, "scale": True}


def _apply(node: Node, context: Context) -> Node | None:
    found = normalized(node, context)
    shape = shape_of(found.x) if found else None
    if found is None or shape is None or found.axes != list(range(len(shape)))[-len(found.axes) :]:
        return None
    if found.parameters != tuple(shape[axis] for axis in found.axes):
        return None
    axis = -1 if len(found.axes) == 1 else tuple(found.axes)
    further = keywords(_DEFAULTS, axis=axis, center="beta" in found.weights, scale="gamma" in found.weights)
    further = (("epsilon", found.epsilon), *further, *dtype_keyword(found.dtype))
    weights = tuple(found.weights.items())
    layer = Layer("keras.layers.LayerNormalization", (), weights, further, normalization_scope(node))
    better = layer_node(node, layer, [found.x])
    better.outputs = [found.x.node.outputs[found.x.port]]
    return better


_PARAMETERS = "g = tf.get_variable('g', [3])\nb = tf.get_variable('b', [3])\n"
_MOMENTS = "mean, variance = tf.nn.moments(images, [-1], keep_dims=True)\n"

RULE = Rule(
    ops=("Add", "AddV2"),
    apply=_apply,
    examples=(
        Example(
            f"{_PARAMETERS}{_MOMENTS}y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "keras.layers.LayerNormalization(epsilon=1e-06)",
        ),
        Example(
            f"{_PARAMETERS}{_MOMENTS}y = g * (images - mean) / tf.sqrt(variance + 1e-6) + b",
            "keras.layers.LayerNormalization(epsilon=1e-06)",
        ),
        Example(
            f"{_PARAMETERS}{_MOMENTS}y = g * ((images - mean) / (variance + 1e-6) ** 0.5) + b",
            "keras.layers.LayerNormalization(epsilon=1e-06)",
        ),
        Example(
            f"{_PARAMETERS}mean = tf.reduce_mean(images, -1, keepdims=True)\n"
            "variance = tf.reduce_mean(tf.square(images - mean), -1, keepdims=True)\n"
            "y = (images - mean) * tf.rsqrt(variance + 1e-5) * g + b",
            "keras.layers.LayerNormalization(epsilon=1e-05)",
        ),
        Example(
            f"{_MOMENTS}b = tf.get_variable('b', [3])\n"
            "y = tf.nn.batch_normalization(images, mean, variance, b, None, 1e-6)",
            "keras.layers.LayerNormalization(epsilon=1e-06, scale=False)",
        ),
        Example(
            f"{_PARAMETERS}mean, variance = tf.nn.moments(images, [1, 2, 3], keep_dims=True)\n"
            "y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "",
        ),
        Example(
            f"{_PARAMETERS}mean, variance = tf.nn.moments(images, [0, 1, 2], keep_dims=True)\n"
            "y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "",
        ),
    ),
)
