"""Lists the collections of a legacy graph by the names of their members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import DecodeError

from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, node_of
from tf2bridge.formats.messages import own


def collected(graph: LegacyGraph) -> dict[str, tuple[str, ...]]:
    """Returns collection -> names of its tensors ("loss:0"), operations ("group_deps") and variables ("w:0").

    Collections of other objects, such as contexts of control flow and savers, are left out.
    """
    nodes = by_name(graph.graph_def.node)
    names_by_collection = {name: tuple(_names(content, nodes)) for name, content in sorted(graph.collections.items())}
    return {name: names for name, names in names_by_collection.items() if names}


def _names(collection: Any, nodes: dict[str, Any]) -> Iterator[str]:
    if collection.WhichOneof("kind") == "bytes_list":
        candidates = [_variable(stored) for stored in collection.bytes_list.value]
    else:
        candidates = list(collection.node_list.value)
    return (name for name in candidates if node_of(name) in nodes)


def _variable(stored: bytes) -> str:
    """Returns the variable name of a stored VariableDef, or "" for a message of another type."""
    try:
        definition = own("VariableDef").FromString(stored)
    except DecodeError:
        return ""
    return str(definition.variable_name) if definition.initializer_name or definition.snapshot_name else ""
