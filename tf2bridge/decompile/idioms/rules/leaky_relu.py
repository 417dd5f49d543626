"""`tf.maximum(alpha * x, x)`: `tf.nn.leaky_relu`, as TensorFlow 1.x defines it.

The other order is left as it is: at 0 its gradient is 1, and that of `tf.nn.leaky_relu` is alpha.
"""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(node.inputs[0], "Mul(x, slope)", {"x": node.inputs[1]})
    slope = number(names["slope"]) if names else None
    if names is None or slope is None or not 0 < slope < 1:
        return None
    arguments = f"(_0, {literal(slope)})"
    return expression_node(
        node,
        f"tf.nn.leaky_relu{arguments}",
        [names["x"]],
        is_elementwise=True,
        keras=f"keras.ops.leaky_relu{arguments}",
    )


RULE = Rule(
    ops=("Maximum",),
    apply=_apply,
    examples=(
        Example("y = tf.maximum(0.1 * rows, rows)", "tf.nn.leaky_relu(rows, 0.1)"),
        Example("y = tf.maximum(1.5 * rows, rows)", ""),
        Example("y = tf.maximum(rows, 0.1 * rows)", ""),
    ),
)
