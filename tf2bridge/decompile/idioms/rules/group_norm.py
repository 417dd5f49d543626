"""Normalization of each example over places, for each channel or all at once: `keras.layers.GroupNormalization`.

The first is instance normalization (Ulyanov et al., 2016), with as many groups as channels. The second is that of
`tf.contrib.layers.layer_norm`, with one group. `tf.contrib.layers.group_norm` makes groups an axis (Wu and He, 2018).
"""

from __future__ import annotations

from dataclasses import replace

from tf2bridge.decompile.idioms.normalized import normalization_layer, normalized
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value


def _apply(node: Node, context: Context) -> Node | None:
    return _in_groups(node, context) if node.op == "Reshape" else _of_channels_or_all(node, context)


def _in_groups(node: Node, context: Context) -> Node | None:
    part = normalized(node.inputs[0].node, context, in_groups=True)
    if part is None or part.x.node.op != "Reshape":
        return None
    x = part.x.node.inputs[0]
    shape, grouped = shape_of(x), shape_of(part.x)
    if shape is None or grouped is None or shape != shape_of(Value(node, 0)) or None in shape[1:]:
        return None
    sizes, (groups, of_group), rank = shape[1:-1], grouped[-2:], len(grouped)
    if grouped[1:-2] != sizes or groups is None or of_group is None or part.parameters != (groups * of_group,):
        return None
    if part.axes != [*range(1, rank - 2), rank - 1] or shape[-1:] != part.parameters:
        return None
    whole = replace(part, x=x)
    return normalization_layer(node, whole, "keras.layers.GroupNormalization", (groups,))


def _of_channels_or_all(node: Node, context: Context) -> Node | None:
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
    ops=("Add", "AddV2", "Reshape"),
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
            "y = tf.contrib.layers.group_norm(tf.tile(images, [1, 1, 1, 4]), 4)",
            "keras.layers.GroupNormalization(4, epsilon=1e-06)",
        ),
        Example("y = tf.contrib.layers.group_norm(images, 3, reduction_axes=(-3,))", ""),
        Example(
            f"{_PARAMETERS}mean, variance = tf.nn.moments(images, [0, 1, 2], keep_dims=True)\n"
            "y = tf.nn.batch_normalization(images, mean, variance, b, g, 1e-6)",
            "",
        ),
    ),
)
