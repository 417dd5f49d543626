"""A shape whose first size is computed: `tf.reshape` to `[-1, ...]`, as a person writes it."""

from __future__ import annotations

import math

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.matching import is_size, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Spec, Value, constant_node


def _apply(node: Node, _context: Context) -> Node | None:
    x, sizes = node.inputs
    if sizes.node.op != "Pack" or len(sizes.node.inputs) < 2 or number(sizes.node.inputs[0]) is not None:
        return None
    wanted = [number(size) for size in sizes.node.inputs[1:]]
    rest = [int(size) for size in wanted if size is not None]
    if len(rest) != len(wanted) or 0 in rest:
        return None
    if -1 in rest:
        elements = _elements_of_one(x) if is_size(sizes.node.inputs[0], x, 0) else None
        others = -math.prod(rest)
        if not elements or elements % others:
            return None
        rest[rest.index(-1)] = elements // others
    first = (shape_of(Value(node, 0)) or (None,))[0]
    result = Spec(node.outputs[0].dtype, (first, *rest))
    constant = constant_node(sizes.node.name, np.array([-1, *rest], np.int32), tf.int32, node.owner)
    attributes = {**node.attributes, "Tshape": tf.int32}
    return Node(node.name, "Reshape", [x, Value(constant, 0)], attributes, [result], node.owner)


def _elements_of_one(x: Value) -> int | None:
    """Returns how many elements each `x[i]` has, or None if that is not known."""
    shape = shape_of(x)
    sizes = [size for size in shape[1:] if size is not None] if shape else []
    return math.prod(sizes) if shape and len(sizes) == len(shape) - 1 else None


RULE = Rule(
    ops=("Reshape",),
    apply=_apply,
    examples=(
        Example(
            "w = tf.get_variable('w', [192, 2])\ny = tf.matmul(tf.reshape(images, [tf.shape(images)[0], -1]), w)",
            "self.dense(tf.reshape(images, [-1, 192]))",
        ),
        Example("y = tf.reshape(images, [tf.shape(images)[0], 8, -1])", "tf.reshape(images, [-1, 8, 24])"),
        Example("y = tf.reshape(images, [tf.shape(images)[0] * 8, 24])", "tf.reshape(images, [-1, 24])"),
        Example("y = tf.reshape(images, [tf.shape(images)[0] * 2, -1])", ""),
        Example("y = tf.reshape(images, [tf.shape(rows)[0], -1])", ""),
    ),
)
