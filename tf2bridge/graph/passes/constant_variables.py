"""A graph whose variables are constants, under the names it had."""

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
"""What only looks at a variable -> what does that to its value, and the attribute there that says the value's type."""

_KEPT = ("Tindices", "batch_dims", "out_type")
_CHANGES = ("Assign", "Apply", "Resource", "Scatter", "SparseApply", "CountUpTo")


def with_calls_of_variables_inlined(nodes: Nodes, outputs: Sequence[str], library: Any) -> Nodes:
    """Returns the nodes without calls of functions that are given a variable, as Keras's SavedModels have them.

    Where such a call was, `outputs` are found under its name as before: an `IdentityN` gives them.
    """
    given = {f"{name}:0" for name, node in nodes.items() if node.op == "VarHandleOp"}
    if not any(node.op in CALLS and given.intersection(data_inputs(node)) for node in nodes.values()):
        return nodes
    calls = {node_of(each): nodes[node_of(each)] for each in outputs if nodes[node_of(each)].op in CALLS}
    results = [f"{name}:{port}" for name, node in calls.items() for port in range(len(node.attr["Tout"].list.type))]
    types = {name: node.attr["Tout"].list.type for name, node in calls.items()}
    found, ends = with_calls_inlined(nodes, results, library)
    for name in calls:
        if found[name].op == "NoOp":
            waits = [source for source in found[name].input if is_control(source)]
            own = [end for end, result in zip(ends, results, strict=True) if node_of(result) == name]
            found[name] = node_def_pb2.NodeDef(name=name, op="IdentityN", input=[*own, *waits])
            found[name].attr["T"].list.type.extend(types[name])
    kept = needed(found, map(node_of, outputs)) | {name for name in nodes if nodes[name].op == "Placeholder"}
    return {name: node for name, node in found.items() if name in kept}


def with_constants(nodes: Nodes, values: Mapping[str, Any]) -> Nodes:
    """Returns the nodes with a `Const` of its value for each variable, node name -> value; reads become `Identity`s.

    Raises UnsupportedOpsError where something among the nodes changes a variable, or needs it as one.
    """
    found = {name: constant(name, values[name]) if node.op in HANDLES else copied(node) for name, node in nodes.items()}
    held = {source: node_of(root(nodes, source)) for source in reached(nodes, _handles(nodes))}
    for source, variable in held.items():
        retyped(found, [source], found[variable].attr["dtype"].type)
    refused = []
    for node in nodes.values():
        for variable in [held[source] for source in data_inputs(node) if source in held][:1]:
            if not _settled(found, node, nodes[variable].op, found[variable].attr["dtype"].type):
                refused.append(f"{node.name} ({node.op}) takes {variable}, which would be a constant")
    if refused:
        raise UnsupportedOpsError(refused)
    return found


def _handles(nodes: Nodes) -> list[str]:
    return [f"{name}:0" for name, node in nodes.items() if node.op in HANDLES]


def _settled(found: Nodes, node: Any, kind: str, dtype: int) -> bool:
    """Makes what takes a variable of this kind one that takes its value; False where it cannot."""
    made = found[node.name]
    if node.op in _COUNTERPART:
        made.op, type_of_value = _COUNTERPART[node.op]
        kept = {name: node.attr[name] for name in _KEPT if name in node.attr}
        made.attr.clear()
        for name, value in kept.items():
            made.attr[name].CopyFrom(value)
        made.attr[type_of_value].type = dtype
        if node.op == "ResourceGather":
            axis = integers(f"{node.name}/axis", 0, near=node_of(node.input[1]))
            found[axis.name] = axis
            made.input.insert(2, axis.name)
            made.attr["Taxis"].type = types_pb2.DT_INT32
    elif made.op.startswith("Ref"):
        made.op = made.op.removeprefix("Ref")
    elif node.op.startswith(_CHANGES):
        return False
    return kind != "VarHandleOp" or node.op in _COUNTERPART or node.op in PASSING
