"""Takes out each `Switch` in a loop whose condition is settled by the branch that the whole loop lies in.

`tf.gradients` pops what a loop in a branch has pushed through such a `Switch` on the predicate of the branch
(`AddBackpropAccumulatedValue` in python/ops/control_flow_ops.py of TensorFlow 1.x). No `Merge` of the loop ends it: the
loop runs in that branch alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, copied, data_inputs, endpoint, is_control, node_of, op_of, ordered
from tf2bridge.graph.new_nodes import identity
from tf2bridge.graph.passes.frames import ENTER, MERGE, NEXT, SWITCH, Frame, frames

Branches = frozenset[tuple[str, int]]
"""The branches that a node lies in, each as (predicate, 1 for the true branch or 0 for the false one)."""


def without_settled_switches(nodes: Nodes) -> Nodes:
    """Returns the nodes; an `Identity` stands for each `Switch` of a loop that lets a value through in every round."""
    if not any(node.op in SWITCH and _is_from_outside(nodes, node) for node in nodes.values()):
        return nodes
    lies_in = _Branches(nodes)
    by_frame = frames(nodes)
    used = {endpoint(source) for node in nodes.values() for source in node.input if not is_control(source)}
    settled: dict[str, int] = {}
    for frame in by_frame.values():
        around = _around(by_frame, frame, lies_in)
        joined = set().union(*(lies_in.joined(node) for node in frame.nodes.values() if node.op in MERGE))
        for node in frame.nodes.values():
            if node.op in SWITCH and _is_from_outside(nodes, node):
                predicate = _predicate(nodes, node)
                sides = [side for side in (0, 1) if (predicate, side) in around]
                if len(sides) == 1 and predicate not in joined and f"{node.name}:{1 - sides[0]}" not in used:
                    settled[node.name] = sides[0]
    return {name: _without(node, settled) for name, node in nodes.items()}


def _without(node: Any, settled: Mapping[str, int]) -> Any:
    if node.name in settled:
        data, _, *controls = node.input
        return identity(node.name, [data, *controls], node.attr["T"].type)
    if any(node_of(source) in settled for source in node.input):
        node = copied(node)
        ends = {f"{name}:{side}": f"{name}:0" for name, side in settled.items()}
        node.input[:] = [source if is_control(source) else ends.get(endpoint(source), source) for source in node.input]
    return node


def _is_from_outside(nodes: Nodes, switch: Any) -> bool:
    """Returns True if the predicate of a `Switch` is one from outside of its loop, the same in each round."""
    source = data_inputs(switch)[1]
    while op_of(nodes, source) == "Identity":
        source = nodes[node_of(source)].input[0]
    return op_of(nodes, source) in ENTER


def _predicate(nodes: Nodes, switch: Any) -> str:
    """Returns the endpoint of the predicate of a `Switch`, also if it comes from outside of a loop."""
    source = data_inputs(switch)[1]
    while op_of(nodes, source) in ("Identity", *ENTER):
        source = endpoint(nodes[node_of(source)].input[0])
    return source


def _around(by_frame: Mapping[str, Frame], frame: Frame, lies_in: _Branches) -> Branches:
    """Returns the branches that a loop lies in as a whole."""
    branches: Branches = frozenset()
    while frame.name:
        branches = branches.union(*(lies_in.node(node) for node in frame.nodes.values() if node.op in ENTER))
        frame = by_frame[frame.parent]
    return branches


class _Branches:
    """The branches of conditions that the nodes of a graph with loops lie in."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._known: dict[str, Branches] = {}
        for name in ordered(nodes, lambda source, to: nodes[source].op in NEXT and nodes[to].op in MERGE):
            node = nodes[name]
            sides = list(self._sides(node.input))
            is_merge = node.op in MERGE and bool(sides)
            self._known[name] = sides[0].intersection(*sides) if is_merge else frozenset().union(*sides)

    def node(self, node: Any) -> Branches:
        """Returns the branches of a node."""
        return self._known[node.name]

    def joined(self, merge: Any) -> set[str]:
        """Returns the predicates of the conditions that a `Merge` may end."""
        sides = list(self._sides(data_inputs(merge)))
        return {predicate for predicate, _ in frozenset().union(*sides) - sides[0].intersection(*sides)}

    def _sides(self, sources: Iterable[str]) -> Iterable[Branches]:
        """Yields the branches of each value, but not of those that a loop has not computed yet."""
        for source in sources:
            name = node_of(source)
            if name in self._known:
                yield self._known[name] | self._chosen(source)

    def _chosen(self, source: str) -> Branches:
        """Returns the branch that a value begins: that of a result of a `Switch`, but for those of loops."""
        node = self._nodes[node_of(source)]
        if node.op not in SWITCH or is_control(source):
            return frozenset()
        predicate = _predicate(self._nodes, node)
        is_of_loop = op_of(self._nodes, predicate) == "LoopCond"
        return frozenset() if is_of_loop else frozenset({(predicate, int(endpoint(source).rpartition(":")[2]))})
