"""A transposed convolution whose result has the size that Keras gives it: a layer such as `Conv2DTranspose`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, alike, dtype_keyword, keywords, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import is_size, match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value

_RANKS = {"Conv2DBackpropInput": (4, "NHWC"), "Conv3DBackpropInputV2": (5, "NDHWC")}
"""The type of a node -> the rank of what it takes, and its axes."""
_DEFAULTS = {"strides": 1, "padding": "valid"}


def _apply(node: Node, context: Context) -> Node | None:
    _, weights, x = node.inputs
    rank, axes = _RANKS[node.op]
    kernel, sizes, shape = context.variable(weights), known_shape(weights), shape_of(x)
    padding, strides = node.attributes["padding"], node.attributes["strides"][1:-1]
    if kernel is None or sizes is None or shape is None or shape[-1] != sizes[-1] or padding not in ("SAME", "VALID"):
        return None
    if node.attributes["data_format"] != axes or node.attributes.get("dilations", [1] * rank) != [1] * rank:
        return None
    for axis, (window, stride) in enumerate(zip(sizes, strides, strict=False), 1):
        if not _has_size(node, axis, stride, 0 if padding == "SAME" else max(window - stride, 0)):
            return None
    kind = (
        *keywords(_DEFAULTS, strides=alike(strides), padding=padding.lower()),
        ("use_bias", False),
        *dtype_keyword(weights),
    )
    layer_class = f"keras.layers.Conv{rank - 2}DTranspose"
    layer = Layer(layer_class, (sizes[-2], alike(sizes[:-2])), (("kernel", kernel),), kind, scope_of(node.name))
    return layer_node(node, layer, [x])


def _has_size(node: Node, axis: int, factor: int, rest: int) -> bool:
    """Returns True if the result always is `factor * size + rest` along an axis where the input is `size`."""
    sizes, _, x = node.inputs
    before, after = (shape[axis] if shape else None for shape in (shape_of(x), shape_of(Value(node, 0))))
    if before is not None and after is not None:
        return after == factor * before + rest
    if sizes.node.op != "Pack":
        return False
    product = sizes.node.inputs[axis]
    with_rest = match(product, "Add(product, rest)")
    if with_rest is not None:
        if number(with_rest["rest"]) != rest:
            return False
        product = with_rest["product"]
    elif rest:
        return False
    names = match(product, "Mul(size, factor)")
    if names is not None and number(names["factor"]) == factor:
        return is_size(names["size"], x, axis)
    return factor == 1 and is_size(product, x, axis)


_OPEN = "x = tf.layers.conv2d(tf.placeholder_with_default(images, [None, None, None, 3]), 3, 2)\n"
_WEIGHTS = "w = tf.get_variable('w', [3, 3, 2, 3])\n"
RULE = Rule(
    ops=tuple(_RANKS),
    apply=_apply,
    examples=(
        Example(
            "y = tf.layers.conv2d_transpose(images, 4, 5, 2, padding='same', activation=tf.nn.relu)",
            "keras.layers.Conv2DTranspose(4, 5, strides=2, padding='same', activation='relu')",
        ),
        Example(
            "y = tf.layers.conv2d_transpose(images, 2, (3, 2), (2, 3))",
            "keras.layers.Conv2DTranspose(2, (3, 2), strides=(2, 3))",
        ),
        Example(
            _OPEN + "y = tf.layers.conv2d_transpose(x, 2, 3, 2, padding='same')",
            "keras.layers.Conv2DTranspose(2, 3, strides=2, padding='same')",
        ),
        Example(_OPEN + "y = tf.layers.conv2d_transpose(x, 2, 3, 2)", "keras.layers.Conv2DTranspose(2, 3, strides=2)"),
        Example(
            _WEIGHTS + "y = tf.nn.conv2d_transpose(images, w, [tf.shape(images)[0], 16, 16, 2], [1, 2, 2, 1])",
            "keras.layers.Conv2DTranspose(2, 3, strides=2, padding='same', use_bias=False)",
        ),
        Example(
            "y = tf.layers.conv3d_transpose(images[:, None], 2, (1, 3, 3), (1, 2, 2), 'same', activation=tf.nn.relu)",
            "keras.layers.Conv3DTranspose(2, (1, 3, 3), strides=(1, 2, 2), padding='same', activation='relu')",
        ),
        Example(_WEIGHTS + "y = tf.nn.conv2d_transpose(images, w, [tf.shape(images)[0], 15, 16, 2], [1, 2, 2, 1])", ""),
        Example(
            _OPEN + _WEIGHTS + "s = tf.shape(x)\n"
            "y = tf.nn.conv2d_transpose(x, w, tf.stack([s[0], s[1] * 2 - 1, s[2] * 2, 2]), [1, 2, 2, 1])",
            "",
        ),
    ),
)
