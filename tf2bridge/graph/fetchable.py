"""Finds the nodes of a legacy graph that a session can always fetch: those outside of loops and branches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import node_of, ordered
from tf2bridge.graph.passes.frames import EXIT, MERGE, SWITCH, frames


def always_run(nodes: Mapping[str, Any]) -> set[str]:
    """Returns the names of nodes outside of loops and of branches of `tf.cond`.

    `Graph.is_fetchable` cannot tell: an imported graph does not know its loops. A node of a branch that is
    not taken has no value (core/common_runtime/executor.cc).
    """
    outside = dict(frames(nodes)[""].nodes)
    depths: dict[str, int] = {}
    for name in ordered(outside):
        node = outside[name]
        deepest = max((_depth(source, nodes, depths) for source in node.input), default=0)
        depths[name] = deepest + (node.op in SWITCH) - (node.op in MERGE)
    return {name for name, depth in depths.items() if depth <= 0}


def _depth(source: str, nodes: Mapping[str, Any], depths: Mapping[str, int]) -> int:
    """Returns the number of branches that an input lies in; for the `Exit` of a loop, 0."""
    name = node_of(source)
    if name in depths or name not in nodes or nodes[name].op not in EXIT:
        return depths.get(name, 0)
    return 0
