"""A shape of which one size is computed: `tf.reshape` to `[-1, ...]`, as a person writes it."""

from __future__ import annotations

import math

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Spec, Value, constant_node
from tf2bridge.decompile.sizes import sizes_of


def _apply(node: Node, _context: Context) -> Node | None:
    x, wanted = node.inputs
    sizes, count = sizes_of(wanted), (shape_of(wanted) or (None,))[0]
    rest = [size if isinstance(size, int) else None for size in sizes]
    if wanted.node.op == "Const" or len(sizes) != count or count < 2 or rest.count(None) != 1 or 0 in rest:
        return None
    if -1 in rest:
        elements = _elements_of_one(x) if sizes[0] == (x, 0) else None
        others = -math.prod(size for size in rest if size is not None)
        if not elements or elements % others:
            return None
        rest[rest.index(-1)] = elements // others
    shape = shape_of(Value(node, 0)) or (None,) * count
    known = tuple(other if size is None else size for size, other in zip(rest, shape, strict=True))
    result = Spec(node.outputs[0].dtype, known)
    numbers = np.array([-1 if size is None else size for size in rest], np.int32)
    constant = constant_node(wanted.node.name, numbers, tf.int32, node.owner)
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
        Example(
            "y = tf.reshape(images, tf.concat([tf.shape(images)[:1], [64], [3]], 0))", "tf.reshape(images, [-1, 64, 3])"
        ),
        Example("y = tf.reshape(images, [tf.shape(images)[0] * 2, -1])", ""),
        Example("y = tf.reshape(images, [tf.shape(rows)[0], -1])", ""),
    ),
)
