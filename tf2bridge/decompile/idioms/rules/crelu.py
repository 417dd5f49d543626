"""Relu of a value beside its negative: `tf.nn.crelu` (Shang et al., 2016)."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(node.inputs[0], "ConcatV2(x, Neg(x), axis)")
    axis = number(names["axis"]) if names and len(node.inputs[0].node.inputs) == 3 else None
    if names is None or axis is None:
        return None
    axis = int(axis)
    return expression_node(
        node,
        f"tf.nn.crelu(_0{'' if axis == -1 else f', axis={axis}'})",
        [names["x"]],
        keras=f"keras.ops.relu(keras.ops.concatenate([_0, -_0], axis={axis}))",
    )


RULE = Rule(
    ops=("Relu",),
    apply=_apply,
    examples=(
        Example("y = tf.nn.crelu(rows)", "tf.nn.crelu(rows)"),
        Example("y = tf.nn.relu(tf.concat([rows, -rows], 1))", "tf.nn.crelu(rows, axis=1)"),
        Example("y = tf.nn.relu(tf.concat([-rows, rows], -1))", ""),
    ),
)
