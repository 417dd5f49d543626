"""Finds the operations of a recorded graph that change variables or take new data."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, by_name, needed, node_of
from tf2bridge.formats.messages import own
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

CHANGES = re.compile(r"Assign|Apply|CountUpTo|Scatter(Nd)?(Add|Sub|Update|Mul|Div|Min|Max)|ResourceScatter")
"""Operations that change variables (core/ops/state_ops.cc, resource_variable_ops.cc, training_ops.cc)."""
TAKES = re.compile(r"IteratorGetNext|Dequeue|^Reader")
"""Operations that give another element in each call (core/ops/dataset_ops.cc, data_flow_ops.cc, io_ops.cc)."""
_GIVING = frozenset(
    ("Placeholder", "Const", "Identity", "NoOp", "Assign", "AssignVariableOp", "ReadVariableOp", *HANDLES)
)
"""Operations of a call that gives variables what it is fed, and does nothing else."""
_CALLS = frozenset(("PartitionedCall", "StatefulPartitionedCall", "While", "If", "StatelessWhile", "StatelessIf"))


class Changing:
    """The operations of one graph of a trace whose type matches `kinds`, or that call a function with one in it."""

    def __init__(self, trace: Trace, number: int, *kinds: re.Pattern[str]) -> None:
        graph = own("GraphDef").FromString(trace.graph_def(number))
        self._nodes: Nodes = by_name(graph.node)
        inside = any(_is(node.op, kinds) for function in graph.library.function for node in function.node_def)
        calls = (
            _CALLS | {function.signature.name for function in graph.library.function} if inside else frozenset[str]()
        )
        self._found = {name for name, node in self._nodes.items() if _is(node.op, kinds) or node.op in calls}
        self._known: dict[tuple[frozenset[str], frozenset[str]], bool] = {}

    def may(self, call: CallRecord) -> bool:
        """Returns True if a call of the graph runs one of them."""
        return self.may_by([leaf.name for leaf in call.fetches], [leaf.name for leaf in call.feeds])

    def only_gives(self, call: CallRecord) -> bool:
        """Returns True if a call assigns its feeds to variables, and does nothing else."""
        behind = needed(self._nodes, [node_of(leaf.name) for leaf in call.fetches])
        return bool(call.feeds) and all(self._nodes[name].op in _GIVING for name in behind)

    def may_by(self, fetches: Iterable[str], feeds: Iterable[str] = ()) -> bool:
        """Returns True if a call with these feeds and fetches runs one of them."""
        fed, wanted = frozenset(map(node_of, feeds)), frozenset(map(node_of, fetches))
        if (wanted, fed) not in self._known:
            behind = needed(self._nodes, wanted, fed) - fed
            self._known[wanted, fed] = not self._found.isdisjoint(behind)
        return self._known[wanted, fed]


def _is(kind: str, kinds: tuple[re.Pattern[str], ...]) -> bool:
    return any(pattern.search(kind) for pattern in kinds)
