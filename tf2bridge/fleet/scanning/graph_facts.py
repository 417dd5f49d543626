"""What the inventory says of a graph file: its kind, its release, and the operations that `audit` refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge import regular_files
from tf2bridge.fleet.inventory import Kind
from tf2bridge.formats import kinds
from tf2bridge.formats.graphs.audit import audit
from tf2bridge.formats.graphs.event_reader import graph_bytes
from tf2bridge.formats.graphs.failures import sound
from tf2bridge.formats.graphs.nodes import HANDLES, all_nodes
from tf2bridge.formats.graphs.parsing import OWN, graphs_in, parsed
from tf2bridge.formats.graphs.refusals import DamagedGraphError, NoGraphError
from tf2bridge.formats.graphs.versions import written_by

LARGEST = 2 << 30
"""The limit in bytes of a message that protobuf reads."""
_MESSAGES = {
    kinds.Kind.GRAPH: "GraphDef",
    kinds.Kind.METAGRAPH: "MetaGraphDef",
    kinds.Kind.SAVED_MODEL: "SavedModel",
    kinds.Kind.EVENTS: "GraphDef",
}
_KINDS = {
    kinds.Kind.METAGRAPH: Kind.METAGRAPH,
    kinds.Kind.SAVED_MODEL: Kind.SAVED_MODEL,
    kinds.Kind.EVENTS: Kind.EVENTS,
}


@dataclass(frozen=True)
class GraphFacts:
    """The kind of a graph file, its release of TensorFlow or a text about it, and the refused types of operations."""

    kind: Kind
    release: str | None
    refused: tuple[str, ...]


def graph_facts(path: Path) -> GraphFacts:
    """Returns the facts about all graphs of a file.

    Raises:
        NoGraphError: the file holds no graph.
        DamagedGraphError: the file is damaged.
        TooLargeFileError, NotRegularFileError: it is too large, or no regular file.
    """
    content = regular_files.content_of(path, LARGEST)
    if not content or content.isspace():
        raise DamagedGraphError(path, "it is empty")
    kind = kinds.kind_of(content)
    if kind is None:
        raise NoGraphError(path, kinds.other_kind(content))
    if kind is kinds.Kind.EVENTS:
        try:
            content = graph_bytes(path, content)
        except NoGraphError:
            return GraphFacts(Kind.EVENTS, None, ())
    message = parsed(path, _MESSAGES[kind], content, OWN)
    graph_defs = list(graphs_in(message))
    if kind is kinds.Kind.GRAPH and not graph_defs[0].node:
        raise NoGraphError(path)
    with sound(path, graph_defs[0] if graph_defs else message):
        refused = sorted({touch.op for graph_def in graph_defs for touch in audit(graph_def)})
        return GraphFacts(_KINDS.get(kind) or _of_graph(graph_defs[0]), _release(message, graph_defs), tuple(refused))


def _of_graph(graph_def: Any) -> Kind:
    return Kind.GRAPH if any(node.op in HANDLES for node in all_nodes(graph_def)) else Kind.FROZEN


def _release(message: Any, graph_defs: list[Any]) -> str | None:
    stated = sorted({release for release in _stated(message) if release})
    if stated:
        return " and ".join(stated)
    producers = sorted({int(graph_def.versions.producer) for graph_def in graph_defs} - {0})
    texts = [written_by("", producer).removeprefix("a ").removeprefix("TensorFlow ") for producer in producers]
    return " and ".join(dict.fromkeys(texts)) or None


def _stated(message: Any) -> Iterator[str]:
    if message.DESCRIPTOR.name == "MetaGraphDef":
        yield message.meta_info_def.tensorflow_version
    elif message.DESCRIPTOR.name == "SavedModel":
        yield from (meta.meta_info_def.tensorflow_version for meta in message.meta_graphs)
