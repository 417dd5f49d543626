"""A convolution of rows one high, as `tf.nn.conv1d` computes it: `keras.layers.Conv1D`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, keywords, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node

_PATTERN = "Conv2D(ExpandDims(x, x_axis), ExpandDims(kernel, kernel_axis))"
_DEFAULTS = {"strides": 1, "padding": "valid"}


def _apply(node: Node, context: Context) -> Node | None:
    names = match(node.inputs[0], _PATTERN)
    if names is None or list(node.attributes["squeeze_dims"] or ()) not in ([1], [-3]):
        return None
    shape, sizes = shape_of(names["x"]), known_shape(names["kernel"])
    if number(names["x_axis"]) not in (1, -3) or number(names["kernel_axis"]) not in (0, -4):
        return None
    kernel = context.variable(names["kernel"])
    if kernel is None or shape is None or len(shape) != 3 or sizes is None or shape[2] != sizes[1]:
        return None
    attributes = node.inputs[0].node.attributes
    if attributes["data_format"] != "NHWC" or attributes["padding"] not in ("SAME", "VALID"):
        return None
    if attributes.get("dilations", [1] * 4) != [1] * 4:
        return None
    further = keywords(_DEFAULTS, strides=attributes["strides"][2], padding=attributes["padding"].lower())
    kind = (*further, ("use_bias", False), *dtype_keyword(names["kernel"]))
    layer = Layer("keras.layers.Conv1D", (sizes[2], sizes[0]), (("kernel", kernel),), kind, scope_of(kernel))
    return layer_node(node, layer, [names["x"]])


RULE = Rule(
    ops=("Squeeze",),
    apply=_apply,
    examples=(
        Example(
            "x = tf.reshape(images, [-1, 64, 3])\ny = tf.layers.conv1d(x, 4, 3, strides=2, padding='same')",
            "keras.layers.Conv1D(4, 3, strides=2, padding='same')",
        ),
        Example(
            "w = tf.get_variable('w', [3, 3, 2])\ny = tf.nn.conv1d(tf.reshape(images, [-1, 64, 3]), w, 1, 'VALID')",
            "keras.layers.Conv1D(2, 3, use_bias=False)",
        ),
        Example(
            "w = tf.get_variable('w', [3, 3, 2])\n"
            "y = tf.nn.conv1d(tf.reshape(images, [-1, 64, 3]), w * 2.0, 1, 'VALID')",
            "",
        ),
    ),
)
