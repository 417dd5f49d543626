"""Prune a graph to the nodes that fetches need; fed tensors become placeholders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, endpoint, is_control, node_of
from tf2bridge.graph.passes.strip import stripped
from tf2bridge.internals.protos import node_def_pb2


def placeholder(name: str, dtype: int, shape: Any) -> Any:
    """Returns a `Placeholder` node of a dtype (an enum of types.proto) and a shape (a TensorShapeProto)."""
    node = node_def_pb2.NodeDef(name=name, op="Placeholder")
    node.attr["dtype"].type = dtype
    node.attr["shape"].shape.CopyFrom(shape)
    return node


def pruned(nodes: Mapping[str, Any], feeds: Mapping[str, Any], fetches: Iterable[str]) -> Nodes:
    """Returns stripped copies of the nodes that the fetches need, and the placeholders of the feeds.

    A node with a fed output does not run, so control inputs from it are removed.

    Args:
        nodes: the nodes of the graph.
        feeds: endpoint -> the placeholder that replaces it.
        fetches: endpoints and names of operations.
    """
    fed = {node_of(source) for source in feeds}
    wanted: set[str] = set()
    reading: set[str] = set()
    pending = [node_of(source) for source in fetches if _is_asked(source, feeds, fed)]
    while pending:
        name = pending.pop()
        if name in wanted:
            continue
        wanted.add(name)
        for source in nodes[name].input:
            if (near := node_of(source)) not in fed:
                pending.append(near)
            else:
                reading.add(name)
                pending += [near] if _is_asked(source, feeds, fed) else []
    part = stripped({name: node for name, node in nodes.items() if name in wanted})
    for name in reading:
        sources = [control for control in part[name].input if not is_control(control) or node_of(control) not in fed]
        part[name].input[:] = [stand_in(source, feeds) for source in sources]
    return part | {node.name: node for node in feeds.values()}


def stand_in(source: str, feeds: Mapping[str, Any]) -> str:
    """Returns the endpoint of the placeholder that replaces an input, or the input itself."""
    if is_control(source) or endpoint(source) not in feeds:
        return source
    return f"{feeds[endpoint(source)].name}:0"


def _is_asked(source: str, feeds: Mapping[str, Any], fed: set[str]) -> bool:
    return node_of(source) not in fed if is_control(source) else endpoint(source) not in feeds
