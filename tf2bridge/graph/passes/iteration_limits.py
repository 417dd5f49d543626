"""Computes the maximum number of iterations of a counting loop, which XLA needs for the gradient of the loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import data_inputs, endpoint, node_of, op_of
from tf2bridge.graph.new_nodes import integers, value_of
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_ADD = ("Add", "AddV2")


def limit(name: str, nodes: Mapping[str, Any], going: str, variables: Mapping[str, tuple[Any, Any, Any]]) -> list[Any]:
    """Returns nodes that compute, outside of a loop, its maximum number of iterations, or -1 if it does not count.

    A loop counts if its condition requires that an int32 is less than a constant or an outer value, and each iteration
    adds one to that int32.

    Args:
        name: the name of the first node, which is the result.
        nodes: the nodes of the loop's frame.
        going: the endpoint of the loop's condition.
        variables: endpoint of a loop variable in the condition -> (its `Enter`, its `NextIteration`, its `Switch`).
    """
    for less in _comparisons(nodes, going):
        counter, bound = data_inputs(less)[:2]
        if less.attr["T"].type == types_pb2.DT_INT32 and counter in variables and _adds_one(nodes, *variables[counter]):
            outside = _outside(f"{name}/bound", nodes, bound)
            if outside is not None:
                source, made = outside
                return [*_difference(name, source, endpoint(variables[counter][0].input[0])), *made]
    return [integers(name, -1)]


def _comparisons(nodes: Mapping[str, Any], going: str) -> list[Any]:
    """Returns the `Less` operations that must be true for the condition: the condition, or parts of `LogicalAnd`."""
    comparisons, pending = [], [going]
    while pending:
        node = nodes.get(node_of(pending.pop()))
        if node is not None and node.op in ("LogicalAnd", "Identity"):
            pending += data_inputs(node)
        elif node is not None and node.op == "Less":
            comparisons.append(node)
    return comparisons


def _adds_one(nodes: Mapping[str, Any], _enter: Any, following: Any, switch: Any) -> bool:
    total = nodes.get(node_of(_origin(nodes, following.input[0])))
    if total is None or total.op not in _ADD or switch is None:
        return False
    parts = [_origin(nodes, source) for source in data_inputs(total)]
    are_one = [op_of(nodes, term) == "Const" and value_of(nodes[node_of(term)]).tolist() == 1 for term in parts]
    return any(is_one and term == f"{switch.name}:1" for is_one, term in zip(are_one, reversed(parts), strict=True))


def _origin(nodes: Mapping[str, Any], source: str) -> str:
    source = endpoint(source)
    while op_of(nodes, source) == "Identity":
        source = data_inputs(nodes[node_of(source)])[0]
    return source


def _outside(name: str, nodes: Mapping[str, Any], bound: str) -> tuple[str, list[Any]] | None:
    """Returns the endpoint of a loop's bound outside of the loop, and the nodes to add for it."""
    node = nodes.get(node_of(_origin(nodes, bound)))
    if node is not None and node.op == "Enter":
        return endpoint(node.input[0]), []
    if node is not None and node.op == "Const":
        constant = integers(name, int(value_of(node)))
        return f"{constant.name}:0", [constant]
    return None


def _difference(name: str, bound: str, start: str) -> list[Any]:
    one = integers(f"{name}/one", 1)  # XLA of TensorFlow 2.21 crashes on a list without elements
    rest = node_def_pb2.NodeDef(name=f"{name}/rest", op="Sub", input=[bound, start])
    most = node_def_pb2.NodeDef(name=name, op="Maximum", input=[rest.name, one.name])
    for node in (rest, most):
        node.attr["T"].type = types_pb2.DT_INT32
    return [most, rest, one]
