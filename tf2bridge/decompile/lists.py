"""Lists of tensors, which loops read and write by number, as tensors with a further axis: Keras has no lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import number
from tf2bridge.decompile.inferred_shapes import with_inferred_shapes
from tf2bridge.decompile.ir import (
    Function,
    Kind,
    Node,
    Spec,
    Value,
    all_nodes,
    array_of,
    cloned,
    constant_node,
    replace,
)

_READ = "keras.ops.take(_0, _1, axis=0)"
_WRITE = "keras.ops.scatter_update(_0, keras.ops.reshape(_1, (1, 1)), keras.ops.expand_dims(_2, 0))"
LIST_OPS = ("TensorListFromTensor", "TensorListGetItem", "TensorListSetItem", "TensorListStack", "TensorListReserve")
Shape = tuple[int | None, ...]


def without_lists(function: Function) -> Function:
    """Returns the function, changed: a list that a loop fills is a tensor of zeros that it changes.

    Nothing is changed if a list is used in another way.
    """
    nodes = list(all_nodes(function))
    loops = [node for node in nodes if node.op == Kind.WHILE]
    others = [node for node in nodes if node.op not in (*LIST_OPS, Kind.WHILE, Kind.PARAMETER)]
    if any(map(has_lists, others)):
        return function
    tensors: dict[Value, Value] = {}
    for loop in loops:
        for place, value in enumerate(loop.inputs):
            if value.spec.dtype == tf.variant:
                start = _start(loop, place)
                if start is None:
                    return function
                tensors[value] = start
    lists = {value.node for value in tensors}
    if any(node.op == "TensorListReserve" and node not in lists for node in nodes):
        return function
    for loop in loops:
        for place, value in enumerate(loop.inputs):
            if value in tensors:
                _set_spec(loop, place, tensors[value].spec)
    replace(function, tensors | _replacements(nodes))
    return function


def has_lists(node: Node) -> bool:
    """Returns True if a node takes or gives a list."""
    return any(spec.dtype == tf.variant for spec in [*node.outputs, *(value.spec for value in node.inputs)])


def with_shapes_of_loops(function: Function) -> Function:
    """Returns a copy in which the values of a loop have the rank that they start with, if that holds in each step.

    If it does not hold somewhere, the function itself is returned.
    """
    copy = cloned(function)
    loops = [node for node in all_nodes(copy) if node.op == Kind.WHILE]
    changed = []
    for loop in loops:
        for place, start in enumerate(loop.inputs):
            for body in loop.bodies:
                parameter = body.parameters[place]
                if parameter.outputs[0].shape is None and start.spec.dtype != tf.variant:
                    parameter.outputs[0] = start.spec
                    changed.append(parameter)
    _infer_elements(copy, list(all_nodes(copy)))
    with_inferred_shapes(copy, changed)
    for loop in loops:
        for place, (parameter, result) in enumerate(
            zip(loop.bodies[1].parameters, loop.bodies[1].results, strict=True)
        ):
            if parameter in changed and not _stays(parameter.outputs[0].shape, result.spec.shape):
                return function
            if loop.outputs[place].shape is None:
                loop.outputs[place] = parameter.outputs[0]
    with_inferred_shapes(copy, loops)
    return copy


def _stays(before: Shape | None, after: Shape | None) -> bool:
    """Returns True if a shape after a step is as a loop begins with: an open size may be any."""
    if before is None or after is None or len(before) != len(after):
        return False
    return all(size in (None, other) for size, other in zip(before, after, strict=True))


def _infer_elements(function: Function, nodes: Sequence[Node]) -> None:
    """Gives elements of a list that was made of a tensor their shape, and what follows from it."""
    better = []
    for node in nodes:
        made = node.inputs[0].node if node.op == "TensorListGetItem" else None
        shape = made.inputs[0].spec.shape if made is not None and made.op == "TensorListFromTensor" else None
        if shape and node.outputs[0].shape is None:
            node.outputs[0] = Spec(node.outputs[0].dtype, shape[1:])
            better.append(node)
    with_inferred_shapes(function, better)


def _start(loop: Node, place: int) -> Value | None:
    """Returns the tensor that a loop begins with in place of a list that it fills, or None if it is no such list."""
    reserved, body = loop.inputs[place].node, loop.bodies[1]
    written = body.results[place].node
    if reserved.op != "TensorListReserve" or written.op != "TensorListSetItem":
        return None
    handle, _, item = written.inputs
    if handle != Value(body.parameters[place], 0) or item.spec.shape is None:
        return None
    sizes = _element_sizes(loop, item.spec.shape, array_of(reserved.inputs[0]))
    return None if sizes is None else _zeros(reserved, sizes, item.spec)


def _element_sizes(loop: Node, shape: Shape, stated: object) -> list[int | tuple[Value, int]] | None:
    """Returns the sizes of what a loop writes: numbers, or a value that exists before the loop and the axis of it.

    Args:
        loop: The loop.
        shape: What is known of the shape.
        stated: The shape that the list was made for, or None.
    """
    if isinstance(stated, np.ndarray) and stated.shape == (len(shape),):
        shape = tuple(int(size) if size >= 0 else known for size, known in zip(stated, shape, strict=True))
    if None not in shape:
        return [size for size in shape if size is not None]
    for value in loop.inputs:
        if value.spec.dtype != tf.variant and value.spec.shape == shape:
            return [(value, axis) if size is None else size for axis, size in enumerate(shape)]
    return None


def _zeros(reserved: Node, sizes: Sequence[int | tuple[Value, int]], item: Spec) -> Value:
    """Returns a tensor of zeros for a list of elements of these sizes."""
    count = reserved.inputs[1]
    owner, name = reserved.owner, reserved.name
    parts = [count, *(_size(name, size, count, owner) for size in sizes)]
    known = number(count)
    shape = (None if known is None else int(known), *(size if isinstance(size, int) else None for size in sizes))
    packed_spec = Spec(count.spec.dtype, (len(parts),))
    packed = Node(f"{name}/shape", "Pack", parts, {"axis": 0, "N": len(parts)}, [packed_spec], owner)
    zero = constant_node(f"{name}/zero", np.zeros((), item.dtype.as_numpy_dtype), item.dtype, owner)
    spec = Spec(item.dtype, shape)
    attributes = {"T": item.dtype, "index_type": count.spec.dtype}
    return Value(Node(name, "Fill", [Value(packed, 0), Value(zero, 0)], attributes, [spec], owner), 0)


def _size(name: str, size: int | tuple[Value, int], count: Value, owner: Function) -> Value:
    """Returns a size as a value of the type of `count`."""
    dtype = count.spec.dtype
    if isinstance(size, int):
        return Value(constant_node(f"{name}/size", np.asarray(size, dtype.as_numpy_dtype), dtype, owner), 0)
    value, axis = size
    shape = Node(
        f"{name}/shape", "Shape", [value], {"out_type": dtype}, [Spec(dtype, (len(value.spec.shape or ()),))], owner
    )
    place = constant_node(f"{name}/axis", np.asarray(axis, np.int32), tf.int32, owner)
    zero = constant_node(f"{name}/first", np.asarray(0, np.int32), tf.int32, owner)
    inputs = [Value(shape, 0), Value(place, 0), Value(zero, 0)]
    return Value(Node(f"{name}/size", "GatherV2", inputs, {"batch_dims": 0}, [Spec(dtype, ())], owner), 0)


def _set_spec(loop: Node, place: int, spec: Spec) -> None:
    """Says what is known of a value of a loop."""
    loop.outputs[place] = spec
    for body in loop.bodies:
        body.parameters[place].outputs[0] = spec


def _replacements(nodes: Sequence[Node]) -> dict[Value, Value]:
    """Returns the value of each operation on lists -> the value that tensors have in its place."""
    replacements = {}
    for node in nodes:
        if node.op in ("TensorListFromTensor", "TensorListStack"):
            replacements[Value(node, 0)] = node.inputs[0]
        elif node.op == "TensorListGetItem":
            replacements[Value(node, 0)] = Value(expression_node(node, _READ, node.inputs[:2]), 0)
        elif node.op == "TensorListSetItem":
            written = expression_node(node, _WRITE, node.inputs)
            written.outputs = [node.inputs[0].spec]
            replacements[Value(node, 0)] = Value(written, 0)
    return replacements
