"""A reshape of a reshape: the last one alone."""

from __future__ import annotations

from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node


def _apply(node: Node, context: Context) -> Node | None:
    before, sizes = node.inputs
    if before.node.op != "Reshape" or sizes.node.op != "Const" or not context.is_only_used_once(before):
        return None
    return Node(
        node.name, "Reshape", [before.node.inputs[0], sizes], dict(node.attributes), node.outputs[:1], node.owner
    )


RULE = Rule(
    ops=("Reshape",),
    apply=_apply,
    examples=(
        Example("y = tf.reshape(tf.reshape(images, [-1, 64, 3]), [-1, 192])", "return tf.reshape(images, [-1, 192])"),
        Example("x = tf.reshape(images, [-1, 64, 3])\ny = tf.reshape(x, [-1, 192]) + tf.reduce_sum(x)", ""),
    ),
    is_last=True,
)
