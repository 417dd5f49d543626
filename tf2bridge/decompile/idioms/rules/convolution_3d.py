"""A convolution of volumes with weights: `keras.layers.Conv3D`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, alike, dtype_keyword, keywords, layer_node, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node

_DEFAULTS = {"strides": 1, "padding": "valid"}


def _apply(node: Node, context: Context) -> Node | None:
    x, weights = node.inputs
    kernel, sizes, shape = context.variable(weights), known_shape(weights), shape_of(x)
    if kernel is None or sizes is None or shape is None or shape[-1] != sizes[3]:
        return None
    if node.attributes.get("data_format", "NDHWC") != "NDHWC" or node.attributes.get("dilations", [1] * 5) != [1] * 5:
        return None
    strides, padding = alike(node.attributes["strides"][1:4]), node.attributes["padding"].lower()
    kind = (
        *keywords(_DEFAULTS, strides=strides, padding=padding),
        ("use_bias", False),
        *dtype_keyword(weights),
    )
    layer = Layer("keras.layers.Conv3D", (sizes[4], alike(sizes[:3])), (("kernel", kernel),), kind, scope_of(node.name))
    return layer_node(node, layer, [x])


_VOLUMES = "x = tf.reshape(images, [-1, 4, 4, 4, 3])\n"
RULE = Rule(
    ops=("Conv3D",),
    apply=_apply,
    examples=(
        Example(
            _VOLUMES + "y = tf.layers.conv3d(x, 4, 3, padding='same')", "keras.layers.Conv3D(4, 3, padding='same')"
        ),
        Example(
            _VOLUMES + "y = tf.layers.conv3d(x, 2, (3, 2, 2), (1, 2, 2), activation=tf.nn.relu)",
            "keras.layers.Conv3D(2, (3, 2, 2), strides=(1, 2, 2), activation='relu')",
        ),
        Example(
            _VOLUMES + "w = tf.get_variable('w', [2, 2, 2, 3, 2])\n"
            "y = tf.nn.conv3d(x, w * 2.0, [1, 1, 1, 1, 1], 'SAME')",
            "",
        ),
    ),
)
