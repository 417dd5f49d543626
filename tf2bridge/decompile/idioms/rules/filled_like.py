"""Zeros or ones of the shape of a tensor: `tf.zeros_like` and `tf.ones_like`."""

from __future__ import annotations

import numpy as np

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Value, array_of


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(Value(node, 0), "Fill(Shape(x), filling)")
    if names is None or names["x"].spec.dtype != node.outputs[0].dtype or number(names["filling"]) not in (0, 1):
        return None
    if np.signbit(array_of(names["filling"])):
        return None
    function = "ones_like" if number(names["filling"]) else "zeros_like"
    x = names["x"]
    return expression_node(node, f"tf.{function}(_0)", [x], True, keras=f"keras.ops.{function}(_0)")


RULE = Rule(
    ops=("Fill",),
    apply=_apply,
    examples=(
        Example("y = tf.concat([rows, tf.fill(tf.shape(rows), 1.0)], 1)", "tf.ones_like(rows)"),
        Example("y = tf.concat([rows, tf.fill(tf.shape(rows), 0.0)], 1)", "tf.zeros_like(rows)"),
        Example("y = rows + tf.fill(tf.shape(rows), 0.5)", ""),
        Example("y = rows[0] + tf.fill(tf.shape(numbers)[:1] * 0 + 4, 1.0)", ""),
    ),
    is_last=True,
)
