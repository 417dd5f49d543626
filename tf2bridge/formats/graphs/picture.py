"""Draw a graph grouped by name scopes: as one self-contained HTML file, or in Graphviz' DOT."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tf2bridge.formats import messages
from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.interface import Interface, stated_shape
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, is_control, needed, node_of
from tf2bridge.formats.graphs.scopes import Scope, opened, tree

_PAGE = Path(__file__).with_name("picture.html")
_SHOWN = 30
"""The approximate number of parts that are open at first."""
_DRAWN = 150
"""The approximate number of parts that Graphviz draws; it cannot open scopes."""


def as_html(graph: LegacyGraph, ends: Interface, marks: Mapping[str, str] | None = None) -> str:
    """Returns a page that draws the graph. A click opens a scope; a node shows its facts and its edges.

    Args:
        graph: the graph.
        ends: its inputs and outputs.
        marks: node -> "equal", "close", "only_old", "only_new" or "different". It decides the colour of the node; a
            scope has the colour of its worst node.
    """
    root = tree(graph.graph_def.node)
    page = _PAGE.read_text("utf-8").replace("TITLE", html.escape(f"{graph.path.name}: {graph.kind.value}"))
    data = json.dumps(_data(graph, ends, root, marks or {}), separators=(",", ":"), allow_nan=False)
    return page.replace("GRAPH", data.replace("<", "\\u003c"))


def as_dot(graph: LegacyGraph) -> str:
    """Returns the graph for Graphviz. In a large graph, scopes are single boxes with the number of their nodes."""
    root = tree(graph.graph_def.node)
    shown = opened(root, _DRAWN)
    seen_as: dict[str, str] = {}
    lines = ["digraph {", "  rankdir=TB; node [shape=box, fontsize=10]; compound=true;"]
    lines += _dot_parts(root, shown, seen_as, "  ")
    joined: dict[tuple[str, str], bool] = {}
    for node in graph.graph_def.node:
        for source in node.input:
            ends = seen_as.get(node_of(source), ""), seen_as[node.name]
            if ends[0] and ends[0] != ends[1]:
                joined[ends] = joined.get(ends, True) and is_control(source)
    for (start, end), control in joined.items():
        lines.append(f"  {_quoted(start)} -> {_quoted(end)}{' [style=dotted]' if control else ''};")
    return "\n".join([*lines, "}", ""])


def _dot_parts(scope: Scope, shown: set[int], seen_as: dict[str, str], indent: str) -> Iterator[str]:
    for part in scope.parts:
        if part.node is not None:
            seen_as[part.path] = part.path
            yield f"{indent}{_quoted(part.path)} [label={_quoted(part.label, part.node.op)}];"
        elif id(part) in shown:
            yield f"{indent}subgraph {_quoted(f'cluster_{part.path}')} {{ label={_quoted(part.label)};"
            yield from _dot_parts(part, shown, seen_as, f"{indent}  ")
            yield f"{indent}}}"
        else:
            inside = [node.name for node in part.nodes()]
            seen_as.update(dict.fromkeys(inside, f"{part.path}/"))
            label = _quoted(part.label, f"{len(inside)} nodes")
            yield f"{indent}{_quoted(f'{part.path}/')} [label={label}, style=filled];"


def _quoted(*lines: str) -> str:
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'


def _data(graph: LegacyGraph, ends: Interface, root: Scope, marks: Mapping[str, str]) -> dict[str, Any]:
    """Returns the data of the page: parts with their parents, the root first, and edges between nodes."""
    shown = opened(root, _SHOWN)
    functions = functions_of(graph.graph_def.library)
    roles = {node_of(source): "input" for source in ends.inputs.values()}
    roles |= {node_of(source): "output" for source in ends.outputs.values()}
    used = needed(by_name(graph.graph_def.node), map(node_of, ends.outputs.values()))
    parts: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    pending = [(root, -1)]
    for scope, parent in pending:  # the loop extends the list
        place = len(parts)
        parts.append({"l": scope.label, "p": parent})
        if scope.node is None:
            parts[place] |= {"o": int(id(scope) in shown), "g": int(scope.group), "n": scope.path}
        else:
            places[scope.path] = place
            parts[place] |= _node(graph.graph_def, scope.node, functions, roles)
            if scope.path not in used and marks.get(scope.path) != "only_new":  # no output of the old graph needs it
                parts[place]["u"] = 1
            if scope.path in marks:
                parts[place]["m"] = marks[scope.path]
        pending += [(part, place) for part in scope.parts]
    joined = Counter(
        (places[node_of(source)], places[node.name], int(is_control(source)))
        for node in graph.graph_def.node
        for source in node.input
        if node_of(source) in places
    )
    return {"parts": parts, "edges": [list(edge) for edge in joined]}


def _node(graph_def: Any, node: Any, functions: Mapping[str, Any], roles: Mapping[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"n": node.name, "op": node.op}
    outputs = []
    for port, dtype in enumerate(operations.output_types(node, functions)[:8]):
        shape = stated_shape(graph_def, node, port)
        sizes = "" if shape is None else " [" + ", ".join("?" if size is None else str(size) for size in shape) + "]"
        outputs.append(messages.type_name(dtype) + sizes)
    if outputs:
        entry["out"] = outputs
    if node.device:
        entry["d"] = node.device
    if node.name in roles:
        entry["r"] = roles[node.name]
    return entry
