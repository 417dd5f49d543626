"""`tf.maximum(tf.minimum(x, high), low)`: `tf.clip_by_value`, as TensorFlow defines it.

The other order is left as it is: where `x` is 0, `tf.minimum(tf.maximum(x, 0), 6)` has the gradient 1, and
`tf.nn.relu6` has 0.
"""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node


def _apply(node: Node, _context: Context) -> Node | None:
    bounded, low = node.inputs
    if bounded.node.op != "Minimum":
        return None
    x, high = bounded.node.inputs
    bounds = [number(low), number(high)]
    if None in bounds or shape_of(low) != () or shape_of(high) != () or node.outputs[0].dtype.name != "float32":
        return None
    arguments = f"(_0, {literal(bounds[0])}, {literal(bounds[1])})"
    return expression_node(node, f"tf.clip_by_value{arguments}", [x], keras=f"keras.ops.clip{arguments}")


RULE = Rule(
    ops=("Maximum",),
    apply=_apply,
    examples=(
        Example("y = tf.clip_by_value(rows, 0.2, 0.75)", "tf.clip_by_value(rows, 0.2, 0.75)"),
        Example("y = tf.minimum(tf.maximum(rows, 0.0), 0.5)", ""),
    ),
)
