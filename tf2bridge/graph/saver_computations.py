"""Computes variables from checkpoint tensors of another form, and back, as the graph's own Savers do (for cuDNN)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.failures import sound
from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, by_name, data_inputs, needed, node_of
from tf2bridge.graph.new_nodes import value_of
from tf2bridge.graph.passes.passing_ops import PASSING
from tf2bridge.graph.passes.prune import placeholder
from tf2bridge.graph.prepare import prepared
from tf2bridge.graph.time_limit import Limit

_ASSIGN = ("Assign", "AssignVariableOp")
_READ = (*PASSING, "ReadVariableOp")


def restored(graph_def: Any, names: Collection[str], stored: Collection[str], read: Callable[[str], Any]) -> Any:
    """Returns variable node name -> value, for the variables that a Saver computes from stored tensors.

    Args:
        graph_def: the graph with its Savers.
        names: the variables to compute.
        stored: the names of the tensors in the checkpoint.
        read: returns the tensor of a name.
    """
    nodes = by_name(graph_def.node)
    values_by_variable: dict[str, Any] = {}
    for node in nodes.values():
        variable = node_of(node.input[0]) if node.op in _ASSIGN else ""
        if variable not in names or variable in values_by_variable:
            continue
        source = data_inputs(node)[1]
        parts = [nodes[name] for name in needed(nodes, [node_of(source)]) if nodes[name].op == "RestoreV2"]
        keys = {f"{part.name}:{port}": key for part in parts for port, key in enumerate(_texts(nodes, part))}
        inputs = {endpoint for name in needed(nodes, [node_of(source)]) for endpoint in data_inputs(nodes[name])}
        used = inputs & keys.keys()
        if used and all(keys[endpoint] in stored for endpoint in used):
            feeds = {endpoint: read(keys[endpoint]) for endpoint in used}
            (values_by_variable[variable],) = _run(graph_def, feeds, [source])
    return values_by_variable


def saved(graph_def: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns name in the checkpoint -> value, for the tensors that a Saver computes from variables.

    `values` is variable node name -> value.
    """
    nodes = by_name(graph_def.node)
    values_by_key: dict[str, Any] = {}
    for node in nodes.values():
        if node.op == "SaveV2":
            tensors = dict(zip(_texts(nodes, node), data_inputs(node)[3:], strict=True))
            made = {key: source for key, source in tensors.items() if _is_computed(nodes, source)}
            feeds = {f"{name}:0": value for name, value in values.items() if nodes[name].op != "VarHandleOp"}
            reads = {
                f"{other.name}:0": values[node_of(other.input[0])]
                for other in nodes.values()
                if other.op == "ReadVariableOp" and node_of(other.input[0]) in values
            }
            if made:
                values_by_key |= dict(zip(made, _run(graph_def, feeds | reads, list(made.values())), strict=True))
    return values_by_key


def _texts(nodes: Nodes, node: Any) -> list[str]:
    """Returns the checkpoint names of a save or restore operation, or [] if the graph computes them."""
    names = nodes[node_of(node.input[1])]
    return [text.decode() for text in value_of(names).ravel()] if names.op == "Const" else []


def _is_computed(nodes: Nodes, source: str) -> bool:
    """Returns whether a tensor is computed from a variable's value, and is not the value itself."""
    while nodes[node_of(source)].op in _READ:
        source = data_inputs(nodes[node_of(source)])[0]
    if nodes[node_of(source)].op in HANDLES:
        return False
    return any(nodes[name].op in HANDLES for name in needed(nodes, [node_of(source)]))


def _run(graph_def: Any, values_by_source: Mapping[str, Any], sources: list[str]) -> list[Any]:
    arrays = {source: tf.convert_to_tensor(value) for source, value in values_by_source.items()}
    feeds = {
        source: placeholder(f"{node_of(source)}/given_{source.rpartition(':')[2]}", value.dtype.as_datatype_enum,
                            value.shape.as_proto())
        for source, value in arrays.items()
    }  # fmt: skip
    with sound("the graph", graph_def):
        part = prepared(graph_def, feeds, sources)
    with tf.Graph().as_default():
        tf.graph_util.import_graph_def(part.graph_def, name="")
        with tf.compat.v1.Session() as session:
            values = {f"{feeds[source].name}:0": value.numpy() for source, value in arrays.items()}
            return list(Limit(sum(value.nbytes for value in values.values())).run(session, list(part.fetches), values))
