"""Computes what depends on constants and static shapes alone, so that the source has the result."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.ir import Function, Node, Spec, Value, all_nodes, replace
from tf2bridge.decompile.raw_calls import evaluate
from tf2bridge.internals.framework import op_def_registry

LARGEST = 4096
"""Elements of a result that is put in the place of what computes it, if none of its inputs is as large."""
_ROUNDS = 50


def folded(function: Function) -> Function:
    """Returns the function, changed: a node whose inputs are constants is the constant that it computes."""
    for _ in range(_ROUNDS):
        constants = {}
        for node in all_nodes(function):
            array = _value(node)
            if array is not None:
                constants[Value(node, 0)] = Value(_constant(node, array), 0)
        if not constants:
            break
        replace(function, constants)
    return function


def _value(node: Node) -> Any:
    """Returns the array that a node always computes, or None."""
    if node.op == "Const" or node.after or len(node.outputs) != 1:
        return None
    if node.op in ("Shape", "Rank", "Size"):
        return _of_shape(node)
    definition = op_def_registry.get(node.op)
    if definition is None or definition.is_stateful or not node.inputs or node.outputs[0].dtype == tf.variant:
        return None
    if any(value.node.op != "Const" for value in node.inputs):
        return _of_a_sliced_shape(node)
    arrays = [value.node.attributes["value"] for value in node.inputs]
    try:
        (array,) = evaluate(node, arrays)
    except (tf.errors.OpError, TypeError, ValueError, AttributeError, NotImplementedError):
        return None  # it fails when it runs, too, and is left to do so
    return array if array.size <= max(LARGEST, *(given.size for given in arrays)) else None


def _of_shape(node: Node) -> Any:
    source = node.inputs[0]
    shape = source.node.outputs[source.port].shape
    if shape is None or (node.op != "Rank" and None in shape):
        return None
    dtype = node.outputs[0].dtype.as_numpy_dtype
    numbers = {"Shape": shape, "Rank": len(shape), "Size": int(np.prod([size or 0 for size in shape]))}
    return np.asarray(numbers[node.op], dtype)


def _of_a_sliced_shape(node: Node) -> Any:
    """Returns the known size that `tf.shape(x)[number]` is, or None."""
    if node.op != "StridedSlice" or node.inputs[0].node.op != "Shape" or node.attributes["shrink_axis_mask"] != 1:
        return None
    begin, shaped = node.inputs[1].node, node.inputs[0].node.inputs[0]
    shape = shaped.node.outputs[shaped.port].shape
    if begin.op != "Const" or shape is None:
        return None
    number = int(begin.attributes["value"][0])
    if not -len(shape) <= number < len(shape) or shape[number] is None:
        return None
    return np.asarray(shape[number], node.outputs[0].dtype.as_numpy_dtype)


def _constant(node: Node, array: Any) -> Node:
    spec = Spec(node.outputs[0].dtype, tuple(np.shape(array)))
    return Node(node.name, "Const", [], {"value": np.asarray(array), "dtype": spec.dtype}, [spec], node.owner)
