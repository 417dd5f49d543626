"""A reshape to a shape that a graph computes as a whole, of which all sizes are known but one: this one is -1."""

from __future__ import annotations

import numpy as np

from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, constant_node


def _apply(node: Node, _context: Context) -> Node | None:
    x, sizes = node.inputs
    shape = shape_of(Value(node, 0))
    if sizes.node.op == "Const" or shape is None or shape.count(None) > 1 or 0 in shape:
        return None
    array = np.array([-1 if size is None else size for size in shape], sizes.spec.dtype.as_numpy_dtype)
    constant = constant_node(f"{node.name}/shape", array, sizes.spec.dtype, node.owner)
    inputs = [x, Value(constant, 0)]
    return Node(node.name, "Reshape", inputs, dict(node.attributes), node.outputs[:1], node.owner)


RULE = Rule(
    ops=("Reshape",),
    apply=_apply,
    examples=(
        Example(
            "y = tf.reshape(rows, tf.concat([tf.shape(rows), [1, 1]], 0)[:3]) + 1.0",
            "tf.reshape(rows, [-1, 4, 1])",
        ),
        Example("y = tf.reshape(images, tf.stack([tf.shape(images)[0] * 2, -1, 3]))", ""),
    ),
    is_last=True,
)
