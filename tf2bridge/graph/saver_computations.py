"""Variables that a checkpoint holds in another form, as cuDNN's: what the graph's own Savers compute."""

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


def restored(graph_def: Any, names: Collection[str], held: Collection[str], read: Callable[[str], Any]) -> Any:
    """Returns name of a variable's node -> value, for those of `names` that a Saver computes from tensors held.

    `read` gives a tensor of the file by its name.
    """
    nodes = by_name(graph_def.node)
    found: dict[str, Any] = {}
    for node in nodes.values():
        variable = node_of(node.input[0]) if node.op in _ASSIGN else ""
        if variable not in names or variable in found:
            continue
        source = data_inputs(node)[1]
        parts = [nodes[name] for name in needed(nodes, [node_of(source)]) if nodes[name].op == "RestoreV2"]
        keys = {f"{part.name}:{port}": key for part in parts for port, key in enumerate(_texts(nodes, part))}
        used = {each for name in needed(nodes, [node_of(source)]) for each in data_inputs(nodes[name])} & keys.keys()
        if used and all(keys[each] in held for each in used):
            (found[variable],) = _run(graph_def, {each: read(keys[each]) for each in used}, [source])
    return found


def saved(graph_def: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns name in the file -> value, for the tensors that a Saver computes from variables, node name -> value."""
    nodes = by_name(graph_def.node)
    found: dict[str, Any] = {}
    for node in nodes.values():
        if node.op == "SaveV2":
            tensors = dict(zip(_texts(nodes, node), data_inputs(node)[3:], strict=True))
            made = {key: source for key, source in tensors.items() if _is_computed(nodes, source)}
            given = {f"{name}:0": value for name, value in values.items() if nodes[name].op != "VarHandleOp"}
            reads = {
                f"{each.name}:0": values[node_of(each.input[0])]
                for each in nodes.values()
                if each.op == "ReadVariableOp" and node_of(each.input[0]) in values
            }
            if made:
                found |= dict(zip(made, _run(graph_def, given | reads, list(made.values())), strict=True))
    return found


def _texts(nodes: Nodes, node: Any) -> list[str]:
    """The names in the file that a Saver's operation gives, none where these are computed."""
    names = nodes[node_of(node.input[1])]
    return [each.decode() for each in value_of(names).ravel()] if names.op == "Const" else []


def _is_computed(nodes: Nodes, source: str) -> bool:
    """Whether a tensor is another thing than a variable's value: it needs one, but not as it is."""
    while nodes[node_of(source)].op in _READ:
        source = data_inputs(nodes[node_of(source)])[0]
    if nodes[node_of(source)].op in HANDLES:
        return False
    return any(nodes[name].op in HANDLES for name in needed(nodes, [node_of(source)]))


def _run(graph_def: Any, given: Mapping[str, Any], sources: list[str]) -> list[Any]:
    arrays = {source: tf.convert_to_tensor(value) for source, value in given.items()}
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
