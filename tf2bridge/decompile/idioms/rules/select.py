"""A choice between values by a condition: `tf.where`, where both broadcast alike."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node


def _apply(node: Node, _context: Context) -> Node | None:
    condition, first, second = (shape_of(value) for value in node.inputs)
    if first is None or second is None or len(first) != len(second):
        return None
    same_rank = condition is not None and len(condition) == len(first)
    if condition == () or (same_rank and (len(first) != 1 or condition == first)):
        return expression_node(node, "tf.where(_0, _1, _2)", node.inputs)
    return None


RULE = Rule(
    ops=("Select",),
    apply=_apply,
    examples=(
        Example("y = tf.where(rows > 0.5, rows, -rows)", "tf.where(rows > 0.5, rows, -rows)"),
        Example("y = tf.where(tf.reduce_sum(rows, 1) > 2.0, rows, -rows)", ""),
    ),
    is_last=True,
)
