"""Normalization of each row by its own moments: `keras.layers.LayerNormalization` (Ba et al., 2016).

TensorFlow 1.x writes it by `tf.nn.moments` and `tf.nn.batch_normalization`, as in `tf.contrib.layers.layer_norm`;
models also spell it out.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.normalized import normalization_layer, normalized
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node


def _apply(node: Node, context: Context) -> Node | None:
    part = normalized(node, context)
    shape = shape_of(part.x) if part else None
    if part is None or shape is None or part.axes != list(range(len(shape)))[-len(part.axes) :]:
        return None
    if part.parameters != tuple(shape[axis] for axis in part.axes):
        return None
    axis = -1 if len(part.axes) == 1 else tuple(part.axes)
    return normalization_layer(node, part, "keras.layers.LayerNormalization", (), axis)


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
