"""How often a loop runs at most, where it counts: what XLA has to know to keep the values that a gradient needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import data_inputs, endpoint, node_of, op_of
from tf2bridge.graph.new_nodes import integers, value_of
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_ADD = ("Add", "AddV2")


def limit(name: str, nodes: Mapping[str, Any], going: str, variables: Mapping[str, tuple[Any, Any, Any]]) -> list[Any]:
    """Nodes, the first named `name`, that compute in the frame around a loop how many iterations it has at most; or -1.

    nodes: of the loop's frame. going: the endpoint of its condition. variables: endpoint of a loop variable as the
    condition sees it -> (its `Enter`, its `NextIteration`, its `Switch`). It counts if the condition holds only while
    an int32 is less than a number from outside or a constant, and each iteration adds one to it.
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
    """What is less than what for the condition to hold: itself, or a part of `LogicalAnd`."""
    found, pending = [], [going]
    while pending:
        node = nodes.get(node_of(pending.pop()))
        if node is not None and node.op in ("LogicalAnd", "Identity"):
            pending += data_inputs(node)
        elif node is not None and node.op == "Less":
            found.append(node)
    return found


def _adds_one(nodes: Mapping[str, Any], _enter: Any, following: Any, switch: Any) -> bool:
    total = nodes.get(node_of(_origin(nodes, following.input[0])))
    if total is None or total.op not in _ADD or switch is None:
        return False
    parts = [_origin(nodes, source) for source in data_inputs(total)]
    ones = [op_of(nodes, each) == "Const" and value_of(nodes[node_of(each)]).tolist() == 1 for each in parts]
    return any(one and other == f"{switch.name}:1" for one, other in zip(ones, reversed(parts), strict=True))


def _origin(nodes: Mapping[str, Any], source: str) -> str:
    source = endpoint(source)
    while op_of(nodes, source) == "Identity":
        source = data_inputs(nodes[node_of(source)])[0]
    return source


def _outside(name: str, nodes: Mapping[str, Any], bound: str) -> tuple[str, list[Any]] | None:
    """The endpoint of a loop's bound in the frame around it, and the node that this takes."""
    node = nodes.get(node_of(_origin(nodes, bound)))
    if node is not None and node.op == "Enter":
        return endpoint(node.input[0]), []
    if node is not None and node.op == "Const":
        constant = integers(name, int(value_of(node)))
        return f"{constant.name}:0", [constant]
    return None


def _difference(name: str, bound: str, start: str) -> list[Any]:
    one = integers(f"{name}/one", 1)  # XLA of TensorFlow 2.21 dies of a list for no elements
    rest = node_def_pb2.NodeDef(name=f"{name}/rest", op="Sub", input=[bound, start])
    most = node_def_pb2.NodeDef(name=name, op="Maximum", input=[rest.name, one.name])
    for node in (rest, most):
        node.attr["T"].type = types_pb2.DT_INT32
    return [most, rest, one]
