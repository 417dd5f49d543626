"""Computes what depends on constants and static shapes alone, so that the source has the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.inferred_shapes import with_inferred_shapes
from tf2bridge.decompile.ir import Function, Kind, Node, Value, adopt, all_nodes, array_of, constant_node, replace
from tf2bridge.decompile.raw_calls import evaluate
from tf2bridge.decompile.sizes import known_sizes
from tf2bridge.internals.framework import op_def_registry

LARGEST = 4096
"""Elements of a result that is put in the place of what computes it, if none of its inputs is as large."""
_ROUNDS = 50
_OF_SIZES = ("StridedSlice", "Slice", "Gather", "GatherV2", "Pack", "ConcatV2")


def folded(function: Function) -> Function:
    """Returns the function, changed: a node whose inputs are constants is the constant that it computes.

    A node that gives its input as it is, is that input. A condition on a constant is the branch that it takes.
    """
    for _ in range(_ROUNDS):
        better: dict[Value, Value] = {}
        for node in all_nodes(function):
            for port, array in enumerate(_arrays(node) or ()):
                name = f"{node.name}_{port}" if port else node.name
                better[Value(node, port)] = Value(constant_node(name, array, node.outputs[port].dtype, node.owner), 0)
            given = _as_given(node)
            if given is not None and given.node.op != Kind.VARIABLE:
                better[Value(node, 0)] = given
            if (product := _filled_product(node)) is not None:
                better[Value(node, 0)] = product
        better |= _taken_branches(function)
        if not better:
            break
        replace(function, better)
        with_inferred_shapes(function, [new.node for old, new in better.items() if _is_shape(old, new)])
    return function


def _taken_branches(function: Function) -> dict[Value, Value]:
    """Returns the values of conditions on a constant -> those of the branch, whose nodes stand outside from then on.

    A condition that has effects, or that other nodes wait for, stays.
    """
    nodes = list(all_nodes(function))
    waited_for = {earlier for node in nodes for earlier in node.after}
    effects = {
        effect for part in (function, *(body for node in nodes for body in node.bodies)) for effect in part.effects
    }
    taken: dict[Value, Value] = {}
    for node in nodes:
        if node.op == Kind.COND and not node.after and node not in waited_for | effects:
            predicate = array_of(node.inputs[0])
            branch = None if predicate is None else node.bodies[not bool(predicate)]
            if branch is not None and not branch.effects:
                adopt(branch.nodes(), node.owner)
                taken |= {Value(node, port): result for port, result in enumerate(branch.results)}
    return taken


def _is_shape(old: Value, new: Value) -> bool:
    """Returns True if a value that was computed is a constant now that may be a shape."""
    return new.node.op == "Const" and len(new.spec.shape or ()) == 1 and old.spec.dtype in (tf.int32, tf.int64)


def _as_given(node: Node) -> Value | None:
    """Returns the input that a node gives as it is, or None.

    It is the first one of a transpose into the same order of axes, of a reshape into the same shape, and of a reduction
    over no axis; of a product with 1, it is the other factor; of tensors that are joined, the one that is not empty.
    """
    if node.op == "ConcatV2":
        return _without_nothing(node)
    if len(node.inputs) != 2 or node.after:
        return None
    first, second = node.inputs
    if node.op == "Mul":
        return next((x for x, other in ((first, second), (second, first)) if _is_one(other)), None)
    if node.op == "Reshape" and len(first.spec.shape or ()) == 1 and second.spec.shape == (1,):
        return first  # a vector has no other shape
    array = array_of(second)
    if array is None:
        return None
    if node.op in ("Sum", "Mean", "Max", "Min", "Prod"):
        return None if array.size else first
    if node.op == "Transpose":
        return first if array.tolist() == list(range(array.size)) else None
    if node.op != "Reshape" or first.spec.shape is None or first.spec.shape.count(None) > 1:
        return None
    return first if array.tolist() == [-1 if size is None else size for size in first.spec.shape] else None


def _filled_product(node: Node) -> Value | None:
    """Returns one number of a shape in place of a product of one with a constant, as for scores that a mask hides."""
    dtype = node.outputs[0].dtype if node.outputs else None
    if node.op != "Mul" or node.after or dtype not in (tf.float32, tf.float64):
        return None
    for filled, other in (node.inputs, node.inputs[::-1]):
        factor = array_of(other)
        if filled.node.op == "Fill" and not filled.node.after and factor is not None and factor.shape == ():
            shape, number = filled.node.inputs
            array = array_of(number)
            if array is not None:
                product = constant_node(f"{node.name}/value", array * factor, dtype, node.owner)
                inputs = [shape, Value(product, 0)]
                attributes = dict(filled.node.attributes)
                return Value(Node(node.name, "Fill", inputs, attributes, filled.node.outputs[:1], node.owner), 0)
    return None


def _without_nothing(node: Node) -> Value | None:
    """Returns what a tensor is joined to constants without elements, or None if there are none, or two such tensors."""
    if node.op != "ConcatV2" or node.after:
        return None
    axis = array_of(node.inputs[-1])
    if axis is None:
        return None
    arrays = [array_of(value) for value in node.inputs[:-1]]
    kept = [
        value
        for value, array in zip(node.inputs, arrays, strict=False)
        if array is None or array.ndim <= axis or array.shape[int(axis)]
    ]
    return kept[0] if len(kept) == 1 else None


def _is_one(value: Value) -> bool:
    array = array_of(value)
    return array is not None and array.shape == () and bool(array == 1)


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
        return _if_known(_of_known_sizes(node))
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


def _of_known_sizes(node: Node) -> Any:
    """Returns the sizes that a node takes from shapes, or puts together, if all are known; else None."""
    shape = node.outputs[0].shape
    if node.op not in _OF_SIZES or shape is None or node.outputs[0].dtype not in (tf.int32, tf.int64):
        return None
    sizes = known_sizes(Value(node, 0))
    if sizes is None or shape not in ((), (len(sizes),)):
        return None
    return np.asarray(sizes, node.outputs[0].dtype.as_numpy_dtype).reshape(shape)
