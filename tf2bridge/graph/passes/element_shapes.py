"""Sets the element shapes of the lists in loops, if the sizes of inputs are known: TFLite runs no other lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.called import LOOPS, functions_of
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.new_nodes import integers
from tf2bridge.internals.framework import function_def_to_graph
from tf2bridge.internals.protos import types_pb2

_RESERVE, _SET = "TensorListReserve", "TensorListSetItem"
_SHAPE_INPUT = {_RESERVE: 0, "TensorListStack": 1, "TensorListGather": 2, "TensorListGetItem": 2}
"""Type of an operation -> the index of its input that is the shape of an element."""


def with_element_shapes(graph_def: Any) -> Any:
    """Sets the element shapes of lists in a GraphDef whose loops have output shapes, in place; returns the GraphDef.

    A shape is set only if all elements that a loop writes have it.
    """
    nodes = by_name(graph_def.node)
    if not any(node.op == _RESERVE for node in nodes.values()):
        return graph_def
    functions = functions_of(graph_def.library)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
        for loop in [operation for operation in graph.get_operations() if operation.type in LOOPS]:
            shapes = [tensor.shape for tensor in loop.outputs]
            body = function_def_to_graph(functions[loop.get_attr("body").name], input_shapes=shapes)
            for place, shape in _set(body).items():
                if shape.is_fully_defined():
                    graph_def.node.extend(
                        _shape_constant(nodes[operation.name], shape)
                        for operation in (_source(loop.inputs[place]).op, *_readers(loop.outputs[place]))
                        if operation.type in _SHAPE_INPUT
                    )
    return graph_def


def _set(body: Any) -> dict[int, Any]:
    """Returns index of an argument -> element shape, for each list whose elements the body of a loop sets."""
    places = {argument.name: place for place, argument in enumerate(body.inputs)}
    shapes: dict[int, Any] = {}
    for operation in body.get_operations():
        if operation.type == _SET:
            place = places.get(_source(operation.inputs[0]).name, -1)
            shapes[place] = operation.inputs[2].shape.most_specific_compatible_shape(
                shapes.get(place, operation.inputs[2].shape)
            )
    return {place: shape for place, shape in shapes.items() if place >= 0}


def _source(tensor: Any) -> Any:
    """Returns the tensor behind `Identity`s."""
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _readers(tensor: Any) -> Iterator[Any]:
    """Yields the operations that read elements of a list."""
    for operation in tensor.consumers():
        if operation.type == "Identity":
            yield from _readers(operation.outputs[0])
        elif operation.type in _SHAPE_INPUT:
            yield operation


def _shape_constant(node: Any, shape: Any) -> Any:
    """Makes a constant of an element shape the input of an operation, and returns the constant."""
    shape_type = node.attr.get("shape_type")  # operations that read elements take int32 and have no such attribute
    dtype = types_pb2.DT_INT32 if shape_type is None else shape_type.type
    constant = integers(f"{node.name}/known_shape", shape.as_list(), dtype=dtype)
    node.input[_SHAPE_INPUT[node.op]] = constant.name
    return constant
