"""`tf.not_equal` in place of what is not equal: no number differs from itself in both."""

from __future__ import annotations

from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Value


def _apply(node: Node, context: Context) -> Node | None:
    (equal,) = node.inputs
    if match(equal, "Equal(x, y)") is None or not context.is_only_used_once(equal) or equal.node.after:
        return None
    inputs = list(equal.node.inputs)
    return Node(node.name, "NotEqual", inputs, dict(equal.node.attributes), [Value(node, 0).spec], node.owner)


RULE = Rule(
    ops=("LogicalNot",),
    apply=_apply,
    examples=(
        Example("y = tf.logical_not(tf.equal(numbers, 2))", "tf.not_equal(numbers, 2)"),
        Example("x = tf.equal(numbers, 2)\ny = [tf.logical_not(x), x]", ""),
        Example("y = tf.logical_not(numbers < 2)", ""),
    ),
    is_last=True,
)
