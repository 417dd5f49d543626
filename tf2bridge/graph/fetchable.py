"""Which nodes of a legacy graph a session can fetch whatever is computed: none in a loop, none in a branch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import node_of, ordered
from tf2bridge.graph.passes.frames import EXIT, MERGE, SWITCH, frames


def always_run(nodes: Mapping[str, Any]) -> set[str]:
    """Returns the names of nodes outside of loops and of branches of `tf.cond`.

    A graph that was imported does not know its loops any more, so `Graph.is_fetchable` finds all of it fetchable; what
    a branch computes that was not taken has no value (core/common_runtime/executor.cc).
    """
    outside = dict(frames(nodes)[""].nodes)
    within: dict[str, int] = {}
    for name in ordered(outside):
        node = outside[name]
        around = max((_depth(source, nodes, within) for source in node.input), default=0)
        within[name] = around + (node.op in SWITCH) - (node.op in MERGE)
    return {name for name, depth in within.items() if depth <= 0}


def _depth(source: str, nodes: Mapping[str, Any], within: Mapping[str, int]) -> int:
    """In how many branches an input is computed; what leaves a loop is in as many as what entered it."""
    name = node_of(source)
    if name in within or name not in nodes or nodes[name].op not in EXIT:
        return within.get(name, 0)
    return 0
