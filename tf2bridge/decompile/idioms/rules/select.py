"""A choice between values by a condition: `tf.where`. A condition for each row gets the axes that `tf.where` needs."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node


def _apply(node: Node, _context: Context) -> Node | None:
    condition, first, second = (shape_of(value) for value in node.inputs)
    if first is None or second is None or condition is None or len(first) != len(second):
        return None
    if condition == () or (len(condition) == len(first) and (len(first) != 1 or condition == first)):
        return expression_node(node, "tf.where(_0, _1, _2)", node.inputs, keras="keras.ops.where(_0, _1, _2)")
    if len(condition) == 1 and len(first) > 1:
        axes, of_keras = (", ".join([":", *[axis] * (len(first) - 1)]) for axis in ("tf.newaxis", "None"))
        by_keras = f"keras.ops.where(_0[{of_keras}], _1, _2)"
        return expression_node(node, f"tf.where(_0[{axes}], _1, _2)", node.inputs, keras=by_keras)
    return None


RULE = Rule(
    ops=("Select",),
    apply=_apply,
    examples=(
        Example("y = tf.where(rows > 0.5, rows, -rows)", "tf.where(rows > 0.5, rows, -rows)"),
        Example(
            "y = tf.where(tf.reduce_sum(rows, 1) > 2.0, rows, -rows)",
            "tf.where((tf.reduce_sum(rows, 1) > 2.0)[:, tf.newaxis], rows, -rows)",
        ),
        Example(
            "y = tf.where(tf.reduce_sum(rows, 1) > 2.0, images, -images)", "[:, tf.newaxis, tf.newaxis, tf.newaxis]"
        ),
        Example("y = tf.where(tf.reduce_sum(rows, 1) > 2.0, rows[:, 0], rows[:, 1])", "tf.where("),
    ),
    is_last=True,
)
