"""The graph of a recorded program, drawn with its nodes coloured by what a comparison says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tf2bridge.graph.interface import Interface
from tf2bridge.graph.legacy import Kind, LegacyGraph
from tf2bridge.graph.messages import own
from tf2bridge.graph.nodes import node_of
from tf2bridge.graph.picture import as_html
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.tolerance import Verdict

_ORDER = ("equal", "close", "different")
_LARGEST = 2_000_000
"""Bytes of a drawing that a report takes in; more makes it slow to open and hard to send."""


def drawn(name: str, graph_def: bytes, rows: Sequence[Comparison]) -> str:
    """Returns a page that draws a serialized GraphDef; "" where that would be too large for a report.

    Each node has the colour of the worst row of any of its tensors, at any step.
    """
    definition = own("GraphDef").FromString(graph_def)
    graph = LegacyGraph(Path(name), Kind.GRAPH, definition)
    present = {node.name for node in definition.node}
    fed, fetched = (
        {row.tensor: row.tensor for row in rows if row.kind in kinds and node_of(row.tensor) in present}
        for kinds in (("feed",), ("fetch", "output"))
    )
    page = as_html(graph, Interface(fed, fetched, how=""), marks(rows))
    return page if len(page) <= _LARGEST else ""


def marks(rows: Sequence[Comparison]) -> Mapping[str, str]:
    """Node -> "equal", "close" or "different", the worst of its rows."""
    found: dict[str, str] = {}
    for row in rows:
        mark = {Verdict.EQUAL: "equal", Verdict.CLOSE: "close"}.get(row.distance.verdict, "different")
        node = node_of(row.tensor)
        found[node] = max(found.get(node, mark), mark, key=_ORDER.index)
    return found
