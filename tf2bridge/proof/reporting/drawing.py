"""Draws the graph of a recorded program, with its nodes coloured by the results of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.formats.graphs.picture import as_html
from tf2bridge.formats.kinds import Kind
from tf2bridge.formats.messages import own
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.tolerance import Verdict

if TYPE_CHECKING:
    from tf2bridge.proof.diverging.ops_seen import Evidence

_ORDER = ("equal", "close", "different")
_LARGEST = 2_000_000
"""The most bytes of a drawing in a report. A larger report is slow to open and hard to send."""


def drawn(name: str, graph_def: bytes, rows: Sequence[Comparison], evidence: Evidence | None = None) -> str:
    """Returns a page that draws a serialized GraphDef; "" if it would be too large for a report.

    Each node has the colour of the worst row of its tensors over all steps.

    Args:
        name: The name of the graph.
        graph_def: The serialized GraphDef.
        rows: The rows of the comparison.
        evidence: The evidence for the first op that differs. Operations before it that only the old graph has get a
            colour of their own. Operations that only the new graph has are added to the drawing.
    """
    definition = own("GraphDef").FromString(graph_def)
    alone = _alone(definition, evidence) if evidence is not None else {}
    graph = LegacyGraph(Path(name), Kind.GRAPH, definition)
    present = {node.name for node in definition.node}
    fed, fetched = (
        {row.tensor: row.tensor for row in rows if row.kind in kinds and node_of(row.tensor) in present}
        for kinds in (("feed",), ("fetch", "output"))
    )
    page = as_html(graph, Interface(fed, fetched, how=""), {**marks(rows), **alone})
    return page if len(page) <= _LARGEST else ""


def _alone(definition: Any, evidence: Evidence) -> dict[str, str]:
    """Returns the marks of the operations that only one side has, and adds those of the new graph to the drawing.

    The names are compared in the spelling of later releases.
    """
    old, new = ({modern(op.name): op for op in ops} for ops in (evidence.only_theirs, evidence.only_ours))
    present = {node.name for node in definition.node}
    marked = {op.name: "only_old" for name, op in old.items() if name not in new and op.name in present}
    added = {op.name: op for name, op in new.items() if name not in old and op.name not in present}
    for op in added.values():
        sources = [source.counterpart or source.name for source in op.inputs]
        definition.node.add(
            name=op.name, op=op.type, input=[source for source in sources if node_of(source) in present | added.keys()]
        )
    return marked | dict.fromkeys(added, "only_new")


def marks(rows: Sequence[Comparison]) -> Mapping[str, str]:
    """Returns node -> "equal", "close" or "different", by the worst of its rows."""
    by_node: dict[str, str] = {}
    for row in rows:
        mark = {Verdict.EQUAL: "equal", Verdict.CLOSE: "close"}.get(row.distance.verdict, "different")
        node = node_of(row.tensor)
        by_node[node] = max(by_node.get(node, mark), mark, key=_ORDER.index)
    return by_node
