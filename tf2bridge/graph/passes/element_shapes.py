"""The sizes of what loops put into lists, where inputs of known sizes let them be known: TFLite runs no other lists."""

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
_SAYING = {_RESERVE: 0, "TensorListStack": 1, "TensorListGather": 2, "TensorListGetItem": 2}
"""Operation -> which of its inputs says the shape of an element."""


def with_element_shapes(graph_def: Any) -> Any:
    """Returns the GraphDef, whose loops say their shapes, with lists that say those of their elements; in place.

    Only what is the same for every element that a loop sets is said.
    """
    nodes = by_name(graph_def.node)
    if not any(node.op == _RESERVE for node in nodes.values()):
        return graph_def
    functions = functions_of(graph_def.library)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
        for loop in [each for each in graph.get_operations() if each.type in LOOPS]:
            shapes = [each.shape for each in loop.outputs]
            body = function_def_to_graph(functions[loop.get_attr("body").name], input_shapes=shapes)
            for place, shape in _set(body).items():
                if shape.is_fully_defined():
                    graph_def.node.extend(
                        _said(nodes[operation.name], shape)
                        for operation in (_source(loop.inputs[place]).op, *_readers(loop.outputs[place]))
                        if operation.type in _SAYING
                    )
    return graph_def


def _set(body: Any) -> dict[int, Any]:
    """Place among the arguments -> shape of an element, for each list that a loop's body sets elements of."""
    places = {each.name: place for place, each in enumerate(body.inputs)}
    found: dict[int, Any] = {}
    for operation in body.get_operations():
        if operation.type == _SET:
            place = places.get(_source(operation.inputs[0]).name, -1)
            found[place] = operation.inputs[2].shape.most_specific_compatible_shape(
                found.get(place, operation.inputs[2].shape)
            )
    return {place: shape for place, shape in found.items() if place >= 0}


def _source(tensor: Any) -> Any:
    """The tensor behind what passes it on."""
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _readers(tensor: Any) -> Iterator[Any]:
    """The operations that read elements of a list."""
    for operation in tensor.consumers():
        if operation.type == "Identity":
            yield from _readers(operation.outputs[0])
        elif operation.type in _SAYING:
            yield operation


def _said(node: Any, shape: Any) -> Any:
    """The constant from which an operation has the shape of an element now."""
    given = node.attr.get("shape_type")  # those that read know but int32
    made = integers(
        f"{node.name}/known_shape", shape.as_list(), dtype=types_pb2.DT_INT32 if given is None else given.type
    )
    node.input[_SAYING[node.op]] = made.name
    return made
