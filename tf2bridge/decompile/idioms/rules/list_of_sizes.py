"""Sizes that are joined to a shape, as for the zeros that a recurrent cell begins with: a list of them."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.matching import number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of, constant_node

_LARGEST_RANK = 8


def _apply(node: Node, _context: Context) -> Node | None:
    *parts, axis = node.inputs
    sizes = [_sizes(part) for part in parts]
    inputs = [size for part in sizes for size in part or ()]
    if node.outputs[0].dtype != tf.int32 or number(axis) != 0 or None in sizes or len(inputs) > _LARGEST_RANK:
        return None
    attributes = {"N": len(inputs), "T": tf.int32, "axis": 0}
    return Node(node.name, "Pack", inputs, attributes, node.outputs[:1], node.owner)


def _sizes(part: Value) -> list[Value] | None:
    """Returns the sizes in a vector of whole numbers, or None if they are not known one by one."""
    node, array = part.node, array_of(part)
    if array is not None:
        if array.ndim != 1 or array.size > _LARGEST_RANK:
            return None
        numbers = [constant_node(node.name, np.int32(size), tf.int32, node.owner) for size in array]
        return [Value(constant, 0) for constant in numbers]
    if node.op == "Pack":
        return list(node.inputs) if all(shape_of(size) == () for size in node.inputs) else None
    if node.op in ("ExpandDims", "Reshape") and shape_of(node.inputs[0]) == () and shape_of(part) == (1,):
        return [node.inputs[0]]
    return None


RULE = Rule(
    ops=("ConcatV2",),
    apply=_apply,
    examples=(
        Example(
            "size = tf.shape(rows)[0] * 2\ny = tf.fill(tf.concat([tf.expand_dims(size, 0), [4]], 0), 0.5)",
            "tf.fill([tf.shape(rows)[0] * 2, 4], 0.5)",
        ),
        Example(
            "sizes = tf.concat([[tf.shape(rows)[0]], tf.shape(rows)[1:], [1]], 0)\ny = tf.fill(sizes, 0.5)",
            "",
        ),
        Example("y = tf.concat([[tf.shape(rows)[0]], [*range(9)]], 0)", ""),
    ),
    is_last=True,
)
