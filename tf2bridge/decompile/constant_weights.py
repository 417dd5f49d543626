"""Weights of a frozen graph: constants that were variables, as variables again, so that the model can be trained."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, replace

_READS = ("/read", "/ReadVariableOp")
"""How the names of the nodes end that read a variable. Freezing leaves them, as copies of constants."""
_SLOTS = {
    **dict.fromkeys(("MatMul", "BatchMatMul", "BatchMatMulV2", "Conv2D", "Conv3D", "DepthwiseConv2dNative"), (1,)),
    **dict.fromkeys(("BiasAdd", "BiasAddV1", "Conv2DBackpropInput"), (1,)),
    **dict.fromkeys(("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"), (1, 2, 3, 4)),
    **dict.fromkeys(("Gather", "GatherV2"), (0,)),
}
"""Type of a node -> its inputs that are weights; graphs that are optimized have no reads any more."""
_PRODUCTS = ("MatMul", "Conv2D", "Conv3D", "DepthwiseConv2dNative")
"""Types of nodes whose results have a bias added to them."""
_SMALLEST = 2
"""Elements of a constant of an optimized graph that is a weight."""


def with_variables(function: Function, values: dict[str, Any]) -> Function:
    """Returns the function, changed: constants that were variables are variables; nothing if there are variables.

    Their attribute "trainable" is None: a frozen graph does not say which ones train.

    Args:
        function: The graph, with its copies.
        values: The old name of each variable -> its value, to which these are added.
    """
    nodes = list(all_nodes(function))
    if any(node.op == Kind.VARIABLE for node in nodes):
        return function
    replacements = {}
    for constant in dict.fromkeys(_weights(nodes)):
        values[constant.name] = constant.attributes["value"]
        attributes = {"variable": constant.name, "trainable": None}
        variable = Node(constant.name, Kind.VARIABLE, [], attributes, constant.outputs, function)
        read = Node(f"{constant.name}/read", "ReadVariableOp", [Value(variable, 0)], {}, constant.outputs, function)
        replacements[Value(constant, 0)] = Value(read, 0)
    replace(function, replacements)
    return function


def _weights(nodes: Iterable[Node]) -> Iterable[Node]:
    """Yields the constants that are weights."""
    for node in nodes:
        if node.op == "Identity" and node.name.endswith(_READS) and _is_of_numbers(node.inputs[0]):
            yield node.inputs[0].node
        for place in _SLOTS.get(node.op, ()):
            value = node.inputs[place]
            if _is_of_numbers(value) and value.node.attributes["value"].size >= _SMALLEST:
                yield value.node
        if node.op in ("Add", "AddV2"):
            yield from (value.node for value, other in (node.inputs, node.inputs[::-1]) if _is_a_bias(value, other))


def _is_a_bias(value: Value, other: Value) -> bool:
    """Returns True for one number for each column of a product, to which they are added."""
    return _is_of_numbers(value) and len(value.spec.shape or ()) == 1 and other.node.op in _PRODUCTS


def _is_of_numbers(value: Value) -> bool:
    return value.node.op == "Const" and value.node.outputs[0].dtype.is_floating
