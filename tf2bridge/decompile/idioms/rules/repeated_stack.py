"""One value that is stacked several times: a list of it, times their number."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node

_FEWEST = 4


def _apply(node: Node, _context: Context) -> Node | None:
    count, axis = len(node.inputs), node.attributes["axis"]
    if count < _FEWEST or len(set(node.inputs)) != 1:
        return None
    text = f"stack([_0] * {count}{f', axis={axis}' if axis else ''})"
    return expression_node(node, f"tf.{text}", node.inputs[:1], keras=f"keras.ops.{text}")


RULE = Rule(
    ops=("Pack",),
    apply=_apply,
    examples=(
        Example("y = tf.stack([rows] * 6, axis=1) + 0.5", "tf.stack([rows] * 6, axis=1)"),
        Example("y = tf.stack([rows[0]] * 3)", ""),
    ),
    is_last=True,
)
