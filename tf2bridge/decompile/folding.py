"""Computes what depends on constants and static shapes alone, so that the source has the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.ir import Function, Node, Value, all_nodes, constant_node, replace
from tf2bridge.decompile.raw_calls import evaluate
from tf2bridge.internals.framework import op_def_registry

LARGEST = 4096
"""Elements of a result that is put in the place of what computes it, if none of its inputs is as large."""
_ROUNDS = 50


def folded(function: Function) -> Function:
    """Returns the function, changed: a node whose inputs are constants is the constant that it computes.

    A node that gives its input as it is, is that input.
    """
    for _ in range(_ROUNDS):
        better: dict[Value, Value] = {}
        for node in all_nodes(function):
            for port, array in enumerate(_arrays(node) or ()):
                name = f"{node.name}_{port}" if port else node.name
                better[Value(node, port)] = Value(constant_node(name, array, node.outputs[port].dtype, node.owner), 0)
            if _is_as_given(node):
                better[Value(node, 0)] = node.inputs[0]
        if not better:
            break
        replace(function, better)
    return function


def _is_as_given(node: Node) -> bool:
    """Returns True for a transpose into the same order of axes, and a reshape into the same shape."""
    if node.op not in ("Transpose", "Reshape") or node.after or node.inputs[1].node.op != "Const":
        return False
    given = node.inputs[0]
    wanted: list[int] = node.inputs[1].node.attributes["value"].tolist()
    shape = given.spec.shape
    return wanted == (list(range(len(wanted))) if node.op == "Transpose" else list(shape or (None,)))


def _arrays(node: Node) -> Sequence[Any] | None:
    """Returns the arrays that a node always computes, or None."""
    if node.op == "Const" or node.after or not node.outputs:
        return None
    if node.op in ("Shape", "Rank", "Size"):
        return _if_known(_of_shape(node))
    definition = op_def_registry.get(node.op)
    if definition is None or definition.is_stateful or not node.inputs or node.outputs[0].dtype == tf.variant:
        return None
    if any(value.node.op != "Const" for value in node.inputs):
        return _if_known(_of_a_sliced_shape(node))
    arrays = [value.node.attributes["value"] for value in node.inputs]
    try:
        results = evaluate(node, arrays)
    except (tf.errors.OpError, TypeError, ValueError, AttributeError, NotImplementedError):
        return None  # it fails when it runs, too, and is left to do so
    largest = max(LARGEST, *(given.size for given in arrays))
    return results if all(array.size <= largest for array in results) else None


def _if_known(array: Any) -> Sequence[Any] | None:
    return None if array is None else [array]


def _of_shape(node: Node) -> Any:
    source = node.inputs[0]
    shape = source.spec.shape
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
    shape = shaped.spec.shape
    if begin.op != "Const" or shape is None:
        return None
    number = int(begin.attributes["value"][0])
    if not -len(shape) <= number < len(shape) or shape[number] is None:
        return None
    return np.asarray(shape[number], node.outputs[0].dtype.as_numpy_dtype)
