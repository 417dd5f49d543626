"""Pooling of rows one high, as `tf.layers.max_pooling1d` computes it: `tf.nn.max_pool1d`."""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node

_FUNCTIONS = {
    "MaxPool": ("tf.nn.max_pool1d", "keras.ops.max_pool"),
    "AvgPool": ("tf.nn.avg_pool1d", "keras.ops.average_pool"),
}


def _apply(node: Node, _context: Context) -> Node | None:
    pooled = node.inputs[0].node
    names = match(node.inputs[0], "(MaxPool | AvgPool)(ExpandDims(x, axis))")
    if names is None or pooled.attributes["data_format"] != "NHWC":
        return None
    axis, axes = number(names["axis"]), list(node.attributes["squeeze_dims"] or ())
    window, strides = pooled.attributes["ksize"], pooled.attributes["strides"]
    if len(shape_of(names["x"]) or ()) != 3 or [axis] != axes or axis not in (1, 2):
        return None
    flat, along = (1, 2) if axis == 1 else (2, 1)
    if (window[flat], strides[flat]) != (1, 1):
        return None
    sizes = f"_0, {literal(window[along])}, {literal(strides[along])}"
    function, keras = _FUNCTIONS[pooled.op]
    padding = pooled.attributes["padding"]
    by_keras = f"{keras}({sizes}{'' if padding == 'VALID' else ', padding=' + repr(padding.lower())})"
    is_same = pooled.op == "MaxPool" or padding == "VALID"  # PyTorch repeats the border where padding is uneven
    template = f"{function}({sizes}, {literal(padding)})"
    return expression_node(node, template, [names["x"]], keras=by_keras if is_same else None)


_ROWS = "x = tf.reshape(images, [-1, 64, 3])\n"
RULE = Rule(
    ops=("Squeeze",),
    apply=_apply,
    examples=(
        Example(_ROWS + "y = tf.layers.max_pooling1d(x, 3, 2)", ", 3, 2, 'VALID')"),
        Example(_ROWS + "y = tf.layers.average_pooling1d(x, 2, 2, 'same')", "tf.nn.avg_pool1d("),
        Example(
            _ROWS + "x = tf.nn.max_pool(tf.expand_dims(x, 2), [1, 2, 1, 1], [1, 2, 2, 1], 'SAME')\n"
            "y = tf.squeeze(x, [2])",
            "",
        ),
    ),
)
