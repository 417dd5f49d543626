"""The collections of a legacy graph, as names of what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import DecodeError

from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, node_of
from tf2bridge.formats.messages import own


def collected(graph: LegacyGraph) -> dict[str, tuple[str, ...]]:
    """Returns collection -> names of its tensors ("loss:0"), operations ("group_deps") and variables ("w:0").

    Collections of anything else, such as contexts of control flow and savers, are left out.
    """
    nodes = by_name(graph.graph_def.node)
    found = {name: tuple(_names(held, nodes)) for name, held in sorted(graph.collections.items())}
    return {name: names for name, names in found.items() if names}


def _names(held: Any, nodes: dict[str, Any]) -> Iterator[str]:
    if held.WhichOneof("kind") == "bytes_list":
        candidates = [_variable(each) for each in held.bytes_list.value]
    else:
        candidates = list(held.node_list.value)
    return (name for name in candidates if node_of(name) in nodes)


def _variable(stored: bytes) -> str:
    """The name of a variable, "" of something else that is stored as a message."""
    try:
        found = own("VariableDef").FromString(stored)
    except DecodeError:
        return ""
    return str(found.variable_name) if found.initializer_name or found.snapshot_name else ""
