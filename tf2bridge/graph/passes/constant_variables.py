"""Replaces the variables of a graph by constants, and keeps all names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, copied, data_inputs, is_control, needed, node_of
from tf2bridge.graph.new_nodes import constant, integers
from tf2bridge.graph.passes.inline_calls import CALLS, with_calls_inlined
from tf2bridge.graph.passes.passing_ops import PASSING, reached, retyped, root
from tf2bridge.graph.refusals import UnsupportedOpsError
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_COUNTERPART = {
    "ReadVariableOp": ("Identity", "T"),
    "ResourceGather": ("GatherV2", "Tparams"),
    "ResourceGatherNd": ("GatherNd", "Tparams"),
    "VariableShape": ("Shape", "T"),
}
"""Operation that reads a variable -> the same operation on its value, and its attribute for the value's dtype."""

_KEPT = ("Tindices", "batch_dims", "out_type")
_CHANGES = ("Assign", "Apply", "Resource", "Scatter", "SparseApply", "CountUpTo")


def with_calls_of_variables_inlined(nodes: Nodes, outputs: Sequence[str], library: Any) -> Nodes:
    """Returns the nodes with calls that take a variable inlined, as in Keras's SavedModels.

    An `IdentityN` of the call's name keeps those of `outputs` that are outputs of the call.
    """
    handles = {f"{name}:0" for name, node in nodes.items() if node.op == "VarHandleOp"}
    if not any(node.op in CALLS and handles.intersection(data_inputs(node)) for node in nodes.values()):
        return nodes
    calls = {node_of(output): nodes[node_of(output)] for output in outputs if nodes[node_of(output)].op in CALLS}
    results = [f"{name}:{port}" for name, node in calls.items() for port in range(len(node.attr["Tout"].list.type))]
    types = {name: node.attr["Tout"].list.type for name, node in calls.items()}
    inlined, ends = with_calls_inlined(nodes, results, library)
    for name in calls:
        if inlined[name].op == "NoOp":
            waits = [source for source in inlined[name].input if is_control(source)]
            own = [end for end, result in zip(ends, results, strict=True) if node_of(result) == name]
            inlined[name] = node_def_pb2.NodeDef(name=name, op="IdentityN", input=[*own, *waits])
            inlined[name].attr["T"].list.type.extend(types[name])
    kept = needed(inlined, map(node_of, outputs)) | {name for name in nodes if nodes[name].op == "Placeholder"}
    return {name: node for name, node in inlined.items() if name in kept}


def with_constants(nodes: Nodes, values: Mapping[str, Any]) -> Nodes:
    """Returns the nodes with a `Const` in place of each variable; reads become `Identity`s.

    Args:
        nodes: the nodes.
        values: variable node name -> value.

    Raises:
        UnsupportedOpsError: a node changes a variable, or needs a variable and not its value.
    """
    result = {
        name: constant(name, values[name]) if node.op in HANDLES else copied(node) for name, node in nodes.items()
    }
    variables = {source: node_of(root(nodes, source)) for source in reached(nodes, _handles(nodes))}
    for source, variable in variables.items():
        retyped(result, [source], result[variable].attr["dtype"].type)
    refused = []
    for node in nodes.values():
        for variable in [variables[source] for source in data_inputs(node) if source in variables][:1]:
            if not _settled(result, node, nodes[variable].op, result[variable].attr["dtype"].type):
                refused.append(f"{node.name} ({node.op}) takes {variable}, which would be a constant")
    if refused:
        raise UnsupportedOpsError(refused)
    return result


def _handles(nodes: Nodes) -> list[str]:
    return [f"{name}:0" for name, node in nodes.items() if node.op in HANDLES]


def _settled(nodes: Nodes, node: Any, kind: str, dtype: int) -> bool:
    """Makes a node that takes a variable take its value, in `nodes`; returns False if it cannot.

    `kind` is the operation of the variable.
    """
    copy = nodes[node.name]
    if node.op in _COUNTERPART:
        copy.op, type_of_value = _COUNTERPART[node.op]
        kept = {name: node.attr[name] for name in _KEPT if name in node.attr}
        copy.attr.clear()
        for name, value in kept.items():
            copy.attr[name].CopyFrom(value)
        copy.attr[type_of_value].type = dtype
        if node.op == "ResourceGather":
            axis = integers(f"{node.name}/axis", 0, near=node_of(node.input[1]))
            nodes[axis.name] = axis
            copy.input.insert(2, axis.name)
            copy.attr["Taxis"].type = types_pb2.DT_INT32
    elif copy.op.startswith("Ref"):
        copy.op = copy.op.removeprefix("Ref")
    elif node.op.startswith(_CHANGES):
        return False
    return kind != "VarHandleOp" or node.op in _COUNTERPART or node.op in PASSING
