"""The part of a graph that some tensors need when others are given: given ones become placeholders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, endpoint, is_control, node_of
from tf2bridge.graph.passes.strip import stripped
from tf2bridge.internals.protos import node_def_pb2


def placeholder(name: str, dtype: int, shape: Any) -> Any:
    """A `Placeholder` node of a dtype (an enum of types.proto) and a shape (a TensorShapeProto)."""
    node = node_def_pb2.NodeDef(name=name, op="Placeholder")
    node.attr["dtype"].type = dtype
    node.attr["shape"].shape.CopyFrom(shape)
    return node


def pruned(nodes: Mapping[str, Any], feeds: Mapping[str, Any], fetches: Iterable[str]) -> Nodes:
    """Returns stripped copies of the nodes that `fetches` need when the endpoints `feeds` have these placeholders.

    Nobody waits for a node of which something is given: it does not run.
    """
    given = {node_of(source) for source in feeds}
    wanted: set[str] = set()
    reading: set[str] = set()
    pending = [node_of(source) for source in fetches if _is_asked(source, feeds, given)]
    while pending:
        name = pending.pop()
        if name in wanted:
            continue
        wanted.add(name)
        for source in nodes[name].input:
            if (near := node_of(source)) not in given:
                pending.append(near)
            else:
                reading.add(name)
                pending += [near] if _is_asked(source, feeds, given) else []
    part = stripped({name: node for name, node in nodes.items() if name in wanted})
    for name in reading:
        sources = [each for each in part[name].input if not is_control(each) or node_of(each) not in given]
        part[name].input[:] = [stand_in(source, feeds) for source in sources]
    return part | {node.name: node for node in feeds.values()}


def stand_in(source: str, feeds: Mapping[str, Any]) -> str:
    """The endpoint that an input comes from now."""
    if is_control(source) or endpoint(source) not in feeds:
        return source
    return f"{feeds[endpoint(source)].name}:0"


def _is_asked(source: str, feeds: Mapping[str, Any], given: set[str]) -> bool:
    return node_of(source) not in given if is_control(source) else endpoint(source) not in feeds
