"""Inner tensors of two recordings of one program, paired by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import Nodes, by_name, data_inputs, node_of
from tf2bridge.formats.messages import own
from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf

_NUMBERED = re.compile(r"_\d+$")
"""What TensorFlow puts behind a name that is taken: what it numbers may be another op in another release."""


class Inner:
    """Pairs the inner tensors of calls, and keeps the names of the recorded ones that have no counterpart.

    Ops of one name may be different ops: releases wire the inside of a gradient differently, and number names
    differently. Two ops are the same if they have one type and read, in their own scope, from ops that are the same; if
    their names are numbered, from ops of the same names.
    """

    def __init__(self, actual: Trace, recorded: Trace) -> None:
        self._actual, self._recorded = actual, recorded
        self._nodes: dict[tuple[bool, int], Nodes] = {}
        self._alike: dict[tuple[int, int], dict[tuple[str, str], bool]] = {}
        self._paired: set[str] = set()
        self._alone: set[str] = set()

    def pairs(self, ours: CallRecord, theirs: CallRecord) -> Iterator[tuple[Leaf, Leaf]]:
        """Yields (ours, theirs), in the recorded order: producers before consumers."""
        mine = {modern(leaf.name): leaf for leaf in (*ours.intermediate, *ours.fetches) if leaf.value is not None}
        for other in self._recorded.inner(theirs):
            leaf = mine.get(modern(other.name))
            if other.value is not None and leaf is not None and self._is_one(ours, leaf, theirs, other):
                self._paired.add(other.name)
                yield leaf, other
            else:
                self._alone.add(other.name)

    def note(self) -> str:
        """Returns a line that says how many recorded inner tensors were not compared; "" if all were."""
        alone = sorted(self._alone - self._paired)
        if not alone:
            return ""
        return (
            f"{len(alone)} of {len(self._alone | self._paired)} recorded inner tensors have no counterpart of their "
            f"name and are not compared: {', '.join(alone[:3])}{' ...' if len(alone) > 3 else ''}"
        )

    def _is_one(self, ours: CallRecord, mine: Leaf, theirs: CallRecord, other: Leaf) -> bool:
        graphs = self._of(self._actual, ours.graph), self._of(self._recorded, theirs.graph)
        known = self._alike.setdefault((ours.graph, theirs.graph), {})
        return _are_alike(*graphs, node_of(mine.name), node_of(other.name), known)

    def _of(self, trace: Trace, number: int) -> Nodes:
        key = trace is self._actual, number
        if key not in self._nodes:
            self._nodes[key] = by_name(own("GraphDef").FromString(trace.graph_def(number)).node)
        return self._nodes[key]


def _are_alike(ours: Nodes, theirs: Nodes, mine: str, other: str, known: dict[tuple[str, str], bool]) -> bool:
    """Returns True if two ops of one name are the same op, as far as the ops of their own scope show."""
    pending, seen = [(mine, other)], set[tuple[str, str]]()
    while pending:  # a loop over the scope: recursion would go as deep as a graph is long
        pair = pending.pop()
        if pair in seen or known.get(pair):
            continue
        seen.add(pair)
        a, b = (nodes.get(name) for nodes, name in zip((ours, theirs), pair, strict=True))
        if a is None or b is None or not same(a.op, b.op) or known.get(pair) is False:
            known[mine, other] = False
            return False
        sources = [[node_of(source) for source in data_inputs(node)] for node in (a, b)]
        is_told_by_names = _NUMBERED.search(pair[1]) or len(sources[0]) != len(sources[1])
        if is_told_by_names and list(map(modern, sources[0])) != list(map(modern, sources[1])):
            known[mine, other] = False
            return False
        for source, their_source in zip(*sources, strict=True):
            if "/" in pair[1] and _scope(their_source) == _scope(pair[1]):
                if modern(source) != modern(their_source):
                    known[mine, other] = False
                    return False
                pending.append((source, their_source))
    known.update(dict.fromkeys(seen, True))
    return True


def _scope(name: str) -> str:
    return name.rpartition("/")[0]
