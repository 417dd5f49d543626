"""Which fetched tensors of a line are the same computation, made anew: a graph that grows while the program runs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, is_control, node_of
from tf2bridge.proof.traces.records import CallRecord

_NAMED = ("Merge", "NextIteration", "LoopCond")
"""Ops of loops, whose inputs lead back to them."""
_UNNAMED = ("Const",)
"""Ops without inputs that are the same wherever they have the same attributes."""
_LEFT_OUT = ("_class", "_output_shapes")


class Alike:
    """Finds the first tensor that computes what a later one computes.

    Args:
        graphs: The nodes of each recorded graph.
    """

    def __init__(self, graphs: Sequence[Nodes]) -> None:
        self._graphs = graphs
        self._digests: list[dict[str, str]] = [{} for _ in graphs]
        self._first: dict[tuple[str, int, str], str] = {}

    def stands_for(self, call: CallRecord) -> Mapping[str, str]:
        """Returns what a call fetches that an earlier call of its line fetched too, under another name.

        Calls are asked for in their order.
        """
        same: dict[str, str] = {}
        for leaf in call.fetches:
            mark = f"{leaf.name.partition(':')[1]}{leaf.name.partition(':')[2]}"
            digest = f"{self._digest(call.graph, node_of(leaf.name))}{mark}"
            first = self._first.setdefault((call.where, call.graph, digest), leaf.name)
            if first != leaf.name:
                same[leaf.name] = first
        return same

    def _digest(self, graph: int, name: str) -> str:
        """Returns a text that two nodes have if they compute the same of the same variables and placeholders."""
        nodes, known = self._graphs[graph], self._digests[graph]
        pending = [name]
        while pending:
            at = pending[-1]
            node = nodes.get(at)
            if at in known or node is None or self._has_identity(node):
                known.setdefault(at, f"={at}")
                pending.pop()
                continue
            waiting = [source for source in map(node_of, node.input) if source not in known]
            if waiting:
                pending += waiting
                continue
            known[at] = _digest_of(node, known)
            pending.pop()
        return known[name]

    def _has_identity(self, node: Any) -> bool:
        """Returns whether a node is the same as no other one: what holds a state, or draws, or closes a loop."""
        is_source = not node.input and node.op not in _UNNAMED
        return is_source or "seed2" in node.attr or node.op in _NAMED


def _digest_of(node: Any, known: Mapping[str, str]) -> str:
    inputs, after = [], []
    for source in node.input:
        digest = known[node_of(source)]
        if is_control(source):
            after.append(digest)
        else:
            port = source.partition(":")[2] or "0"
            inputs.append(f"{digest}:{port}")
    attributes = [
        (name, node.attr[name].SerializeToString(deterministic=True))
        for name in sorted(node.attr)
        if name not in _LEFT_OUT
    ]
    return hashlib.sha256(repr((node.op, inputs, sorted(set(after)), attributes)).encode()).hexdigest()
