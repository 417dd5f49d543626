"""Normalization of each example over places, for each channel or all at once: `keras.layers.GroupNormalization`.

The first is instance normalization (Ulyanov et al., 2016), with as many groups as channels. The second is that of
`tf.contrib.layers.layer_norm`, with one group.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.normalized import normalization_layer, normalized
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node


def _apply(node: Node, context: Context) -> Node | None:
    part = normalized(node, context)
    shape = shape_of(part.x) if part else None
    if part is None or shape is None or len(shape) < 3 or shape[-1] is None or part.parameters != shape[-1:]:
        return None
    groups = {len(shape) - 1: 1, len(shape) - 2: -1}.get(len(part.axes))
    if groups is None or part.axes != list(range(1, len(part.axes) + 1)):
        return None
    return normalization_layer(node, part, "keras.layers.GroupNormalization", (groups,))


_PARAMETERS = "g = tf.get_variable('g', [3])\nb = tf.get_variable('b', [3])\n"
_MOMENTS = "mean, variance = tf.nn.moments(images, [1, 2], keep_dims=True)\n"

RULE = Rule(
    ops=("Add", "AddV2"),
    apply=_apply,
    examples=(
        Example(
            f"{_PARAMETERS}{_MOMENTS}y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "keras.layers.GroupNormalization(-1, epsilon=1e-06)",
        ),
        Example(
            f"{_PARAMETERS}{_MOMENTS}y = g * ((images - mean) * tf.rsqrt(variance + 1e-5)) + b",
            "keras.layers.GroupNormalization(-1, epsilon=1e-05)",
        ),
        Example(
            f"{_PARAMETERS}mean, variance = tf.nn.moments(images, [1, 2, 3], keep_dims=True)\n"
            "y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "keras.layers.GroupNormalization(1, epsilon=1e-06)",
        ),
        Example(
            f"{_PARAMETERS}mean, variance = tf.nn.moments(images, [0, 1, 2], keep_dims=True)\n"
            "y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "",
        ),
    ),
)
