"""A `keras.layers.Conv1D` of rows padded at their start alone: `padding="causal"`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import extended
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Kind, Node


def _apply(node: Node, context: Context) -> Node | None:
    layer, pad = node.attributes["layer"], node.inputs[0].node
    options = dict(layer.keywords)
    if layer.kind != "keras.layers.Conv1D" or pad.op != "Pad" or "padding" in options:
        return None
    x, sizes = pad.inputs
    reach = (layer.positional[1] - 1) * options.get("dilation_rate", 1)
    if not reach or sizes.node.op != "Const" or sizes.node.attributes["value"].tolist() != [[0, 0], [reach, 0], [0, 0]]:
        return None
    if not context.is_only_used_once(node.inputs[0]):
        return None
    return extended(node, node, layer.but(padding="causal"), [x])


_ROWS = "x = tf.reshape(images, [-1, 64, 3])\n"
RULE = Rule(
    ops=(Kind.LAYER,),
    apply=_apply,
    examples=(
        Example(
            _ROWS + "x = tf.pad(x, [[0, 0], [4, 0], [0, 0]])\ny = tf.layers.conv1d(x, 4, 3, dilation_rate=2)",
            "keras.layers.Conv1D(4, 3, dilation_rate=2, padding='causal')",
        ),
        Example(_ROWS + "y = tf.layers.conv1d(tf.pad(x, [[0, 0], [1, 0], [0, 0]]), 4, 3)", ""),
    ),
)
