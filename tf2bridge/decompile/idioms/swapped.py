"""Sequences with time or with rows as the first axis."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import shape_of
from tf2bridge.decompile.ir import Node, Spec, Value, constant_node


def is_swap(value: Value) -> bool:
    """Returns True if a value is another one with the first two of three axes swapped."""
    names = match(value, "Transpose(x, order)")
    order = names["order"].node if names else None
    return order is not None and order.op == "Const" and order.attributes["value"].tolist() == [1, 0, 2]


def batch_first(x: Value) -> Value:
    """Returns a sequence that has time as the first axis, with rows as the first axis."""
    return x.node.inputs[0] if is_swap(x) else swapped(x, x.node)


def swapped(x: Value, node: Node) -> Value:
    """Returns a sequence with the first two axes swapped; the new node belongs where `node` is."""
    shape = shape_of(x)
    constant = constant_node(f"{node.name}/perm", np.array([1, 0, 2], np.int32), tf.int32, node.owner)
    spec = Spec(x.spec.dtype, None if shape is None else (shape[1], shape[0], shape[2]))
    inputs = [x, Value(constant, 0)]
    return Value(Node(f"{node.name}/swapped", "Transpose", inputs, {}, [spec], node.owner), 0)
