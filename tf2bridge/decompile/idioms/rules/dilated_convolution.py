"""A convolution between SpaceToBatchND and BatchToSpaceND, as TensorFlow 1.x dilates one: the layer is dilated."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.decompile.idioms.layer import Layer, alike, layer_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value, array_of

_SPATIAL_AXES = {"keras.layers.Conv1D": 1, "keras.layers.Conv2D": 2, "keras.layers.DepthwiseConv2D": 2}


def _apply(node: Node, context: Context) -> Node | None:
    convolved, block, crops = node.inputs
    called = convolved.node
    if called.op != Kind.LAYER or called.inputs[0].node.op != "SpaceToBatchND":
        return None
    layer, (x, same_block, pads) = called.attributes["layer"], called.inputs[0].node.inputs
    rates, shape = _numbers(block), shape_of(x)
    if not context.is_only_used_once(convolved) or not _is_plain(layer) or rates is None:
        return None
    if rates != _numbers(same_block) or len(rates) != _SPATIAL_AXES[layer.kind]:
        return None
    if shape is None or len(shape) != len(rates) + 2 or shape[-1] is None:
        return None
    padding = _padding(layer, rates, pads, crops)
    if padding is None:
        return None
    dilated = layer.but(padding=None if padding == "valid" else padding, dilation_rate=alike(rates))
    better = layer_node(node, dilated, [x])
    better.attributes["rules"] = called.attributes["rules"]
    return better


def _is_plain(layer: Layer) -> bool:
    """Returns True for a convolution without bias, strides, padding and activation."""
    options = dict(layer.keywords)
    if layer.kind not in _SPATIAL_AXES or options.pop("use_bias", True):
        return False
    return options.keys() <= {"dtype", "depth_multiplier"}


def _padding(layer: Layer, rates: Sequence[int], pads: Value, crops: Value) -> str | None:
    """Returns the padding of the dilated layer, or None if it is neither of the two that Keras has."""
    window = layer.positional[-1]
    windows = window if isinstance(window, tuple) else (window,) * len(rates)
    reaches = [(size - 1) * rate for size, rate in zip(windows, rates, strict=True)]
    margins = [_margin(pads, crops, axis) for axis in range(len(rates))]
    if all(margin == (0, 0) for margin in margins):
        return "valid"
    around = [(reach // 2, reach - reach // 2) for reach in reaches]
    return "same" if margins == around else None


def _margin(pads: Value, crops: Value, axis: int) -> tuple[int, int] | None:
    """Returns how many zeros stand before and after an axis, or None if that may vary.

    Further zeros fill the last block up. As many elements are cropped from the result, so they do not count.
    """
    before, after, first, last = (_entry(matrix, axis, column) for matrix in (pads, crops) for column in (0, 1))
    if not isinstance(before, int) or first != 0:
        return None
    if isinstance(after, int) and isinstance(last, int):
        return before, after - last
    if isinstance(after, Value) and isinstance(last, Value) and last.node.op == "StridedSlice":
        names = match(after, "StridedSlice(Add(end, extra), place)", {"extra": last.node.inputs[0]})
        ends = _numbers(names["end"]) if names else None
        if names and ends and number(names["place"]) == number(last.node.inputs[1]) == axis:
            return before, ends[axis]
    return None


def _entry(matrix: Value, row: int, column: int) -> int | Value | None:
    """Returns an element of a matrix: a number if it is constant, else the value, or None if it is not known."""
    node = matrix.node
    if node.op == "StridedSlice" and _numbers(node.inputs[1]) == [0] and not node.attributes["shrink_axis_mask"]:
        return _entry(node.inputs[0], row, column)
    if node.op == "Const":
        return int(node.attributes["value"][row, column])
    if node.op != "Pack" or node.attributes["axis"] != 0:
        return None
    packed = node.inputs[row].node
    if packed.op == "Const":
        return int(packed.attributes["value"][column])
    if packed.op != "Pack":
        return None
    element = packed.inputs[column]
    constant = number(element)
    return element if constant is None else int(constant)


def _numbers(value: Value) -> list[int] | None:
    """Returns the numbers that a constant has, or None for any other value."""
    array = array_of(value)
    return None if array is None else array.reshape(-1).tolist()


_OPEN = "x = tf.placeholder_with_default(images, [None, None, None, 3])\n"
_BETWEEN = (
    "w = tf.get_variable('w', [2, 2, 3, 4])\n"
    "x = tf.nn.conv2d(tf.space_to_batch_nd(images, [3, 3], {0}), w, [1, 1, 1, 1], 'VALID')\n"
    "y = tf.batch_to_space_nd(x, [3, 3], [[0, 1], [0, 1]])"
)
RULE = Rule(
    ops=("BatchToSpaceND",),
    apply=_apply,
    examples=(
        Example(
            "y = tf.layers.conv2d(images, 4, 3, dilation_rate=2, padding='same')",
            "keras.layers.Conv2D(4, 3, padding='same', dilation_rate=2)",
        ),
        Example(_OPEN + "y = tf.layers.conv2d(x, 4, (2, 3), dilation_rate=2, padding='same')", "padding='same'"),
        Example(_OPEN + "y = tf.layers.conv2d(x, 4, 3, dilation_rate=3)", "keras.layers.Conv2D(4, 3, dilation_rate=3)"),
        Example(
            "x = tf.reshape(images, [-1, 64, 3])\ny = tf.layers.conv1d(x, 4, 2, dilation_rate=4)",
            "keras.layers.Conv1D(4, 2, dilation_rate=4)",
        ),
        Example(
            "w = tf.get_variable('w', [3, 3, 3, 2])\n"
            "y = tf.nn.depthwise_conv2d(images, w, [1, 1, 1, 1], 'SAME', rate=[2, 2])",
            "keras.layers.DepthwiseConv2D(3, depth_multiplier=2, use_bias=False, padding='same', dilation_rate=2)",
        ),
        Example(_BETWEEN.format([[0, 1], [0, 1]]), "keras.layers.Conv2D(4, 2, use_bias=False, dilation_rate=3)"),
        Example(_BETWEEN.format([[1, 0], [0, 1]]), ""),
    ),
)
