"""A depthwise convolution, then one of single pixels: `keras.layers.SeparableConv2D`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, Weight, keywords, layer_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Kind, Node

_OF_DEPTHWISE = ("strides", "padding", "data_format", "dilation_rate", "depth_multiplier")
_OF_PIXELS = ("use_bias", "activation", "dtype")


def _apply(node: Node, context: Context) -> Node | None:
    layer, before = node.attributes["layer"], node.inputs[0]
    if layer.kind != "keras.layers.Conv2D" or before.node.op != Kind.LAYER or not context.is_only_used_once(before):
        return None
    depthwise = before.node.attributes["layer"]
    first, second = dict(depthwise.keywords), dict(layer.keywords)
    if depthwise.kind != "keras.layers.DepthwiseConv2D" or first.get("use_bias", True) or "activation" in first:
        return None
    if layer.positional[1] != 1 or "strides" in second or first.get("data_format") != second.get("data_format"):
        return None
    options = {name: first.get(name) for name in _OF_DEPTHWISE} | {name: second.get(name) for name in _OF_PIXELS}
    weights = (("depthwise_kernel", dict(depthwise.weights)["kernel"]), *_pointwise(layer))
    separable = Layer(
        "keras.layers.SeparableConv2D",
        (layer.positional[0], depthwise.positional[0]),
        weights,
        keywords({}, **options),
        layer.scope,
    )
    better = layer_node(node, separable, before.node.inputs)
    better.attributes["rules"] = (*before.node.attributes["rules"], *node.attributes["rules"])
    return better


def _pointwise(layer: Layer) -> tuple[tuple[str, str | Weight], ...]:
    """Returns the weights of the convolution of pixels as the whole layer has them."""
    return tuple(("pointwise_kernel" if name == "kernel" else name, variable) for name, variable in layer.weights)


RULE = Rule(
    ops=(Kind.LAYER,),
    apply=_apply,
    examples=(
        Example(
            "y = tf.layers.separable_conv2d(images, 4, 3, 2, depth_multiplier=2, activation=tf.nn.relu)",
            "keras.layers.SeparableConv2D(4, 3, strides=2, depth_multiplier=2, activation='relu')",
        ),
        Example(
            "d = tf.get_variable('d', [3, 3, 3, 1])\np = tf.get_variable('p', [1, 1, 3, 5])\n"
            "y = tf.nn.separable_conv2d(images, d, p, [1, 1, 1, 1], 'SAME')",
            "keras.layers.SeparableConv2D(5, 3, padding='same', use_bias=False)",
        ),
        Example(
            "d = tf.get_variable('d', [3, 3, 3, 1])\nx = tf.nn.depthwise_conv2d(images, d, [1, 1, 1, 1], 'SAME')\n"
            "y = tf.layers.conv2d(tf.nn.relu(x), 4, 1)",
            "",
        ),
    ),
)
