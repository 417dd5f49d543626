"""Convolutions with weights: `keras.layers.Conv2D` and `keras.layers.DepthwiseConv2D`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, alike, dtype_keyword, keywords, layer_node, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node

_DEFAULTS = {"strides": 1, "padding": "valid", "dilation_rate": 1, "data_format": None, "depth_multiplier": 1}


def _apply(node: Node, context: Context) -> Node | None:
    x, weights = node.inputs
    kernel, sizes = context.variable(weights), known_shape(weights)
    if kernel is None or sizes is None or node.attributes["padding"] not in ("SAME", "VALID"):
        return None
    first = node.attributes["data_format"] == "NCHW"
    height = 2 if first else 1
    shape = shape_of(x)
    channels = sizes[2]
    if shape is None or shape[1 if first else 3] != channels:  # another number: a convolution in groups
        return None
    strides, rates = (
        alike((node.attributes.get(name) or [1] * 4)[height : height + 2]) for name in ("strides", "dilations")
    )
    if strides != 1 and rates != 1:  # Keras refuses both at once
        return None
    plain = node.op == "Conv2D"
    if not plain and (rates != 1 or isinstance(strides, tuple)):
        return None
    further = keywords(
        _DEFAULTS,
        strides=strides,
        padding=node.attributes["padding"].lower(),
        data_format="channels_first" if first else None,
        dilation_rate=rates,
        depth_multiplier=1 if plain else sizes[3],
    )
    window = alike(sizes[:2])
    layer = Layer(
        "keras.layers.Conv2D" if plain else "keras.layers.DepthwiseConv2D",
        (sizes[3], window) if plain else (window,),
        (("kernel", kernel),),
        (*further, ("use_bias", False), *dtype_keyword(weights)),
        scope_of(node.name),
    )
    return layer_node(node, layer, [x])


RULE = Rule(
    ops=("Conv2D", "DepthwiseConv2dNative"),
    apply=_apply,
    examples=(
        Example("y = tf.layers.conv2d(images, 4, 3, padding='same')", "keras.layers.Conv2D(4, 3, padding='same')"),
        Example("y = tf.layers.conv2d(images, 4, (3, 2), 2)", "keras.layers.Conv2D(4, (3, 2), strides=2)"),
        Example(
            "w = tf.get_variable('w', [3, 3, 3, 2])\ny = tf.nn.depthwise_conv2d(images, w, [1, 2, 2, 1], 'VALID')",
            "keras.layers.DepthwiseConv2D(3, strides=2, depth_multiplier=2, use_bias=False)",
        ),
        Example(
            "w = tf.get_variable('w', [3, 3, 3, 2])\n"
            "y = tf.nn.conv2d(images, w, [1, 1, 1, 1], 'VALID', dilations=[1, 2, 2, 1])",
            "keras.layers.Conv2D(2, 3, dilation_rate=2, use_bias=False)",
        ),
        Example(
            "w = tf.get_variable('w', [3, 3, 3, 2])\ny = tf.nn.conv2d(images, w, [1, 1, 2, 1], 'SAME')",
            "strides=(1, 2)",
        ),
    ),
)
