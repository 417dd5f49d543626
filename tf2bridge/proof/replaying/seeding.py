"""Op seeds of a replayed program: its release's own rule, or the seeds that were recorded, taken over by name.

A graph may be changed until a session has seen it, so the seeds are looked at just before each run.
"""

from __future__ import annotations

import functools
import weakref
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.patching import put
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import RandomOp

RULE, FROM_TRACE = "rule", "trace"
MODES = (FROM_TRACE, RULE)


class Seeding:
    """Compares the seeds of random ops with those of a trace, and sets the recorded seeds if asked to.

    Args:
        trace: what genuine TensorFlow left. A graph's random ops are looked up in the recorded graph of its place, in
            the order in which sessions first saw them, and then in all others.
        mode: "rule" leaves every seed as the program and its release's rule made it; "trace" takes seeds from the
            trace, by name, for the ops whose seeds differ from the recorded ones. Names that changed between
            releases are matched by their modern form; an op without a counterpart keeps its seeds.
    """

    def __init__(self, trace: Trace, mode: str) -> None:
        self._mode = mode
        self._by_name = [_by_name(graph.random_ops) for graph in trace.graphs]
        self._numbers: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._graphs = 0
        self._seen: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._counts: Counter[str] = Counter()
        self._unmatched: list[str] = []
        self._others: list[tuple[str, tuple[int, int], tuple[int, int]]] = []

    def install(self) -> None:
        """Makes every session of this process check the graph's new random ops before each run."""
        from tf2bridge.internals.sessions import session

        original = session.BaseSession.run

        @functools.wraps(original)
        def run(this: Any, *args: Any, **kwargs: Any) -> Any:
            self.visit(this.graph)
            return original(this, *args, **kwargs)

        put(session.BaseSession, "run", run)

    def visit(self, graph: Any) -> None:
        """Checks the random ops that were added to a `tf.Graph` since the last visit."""
        if graph not in self._numbers:
            self._numbers[graph] = self._graphs
            self._graphs += 1
        ops = graph.get_operations()
        start = self._seen.get(graph, 0)
        self._seen[graph] = len(ops)
        for op in ops[start:]:
            attributes = op.node_def.attr
            if "seed" in attributes and "seed2" in attributes:
                self._visit_op(op, (attributes["seed"].i, attributes["seed2"].i), self._numbers[graph])

    def account(self) -> dict[str, Any]:
        """Returns numbers of random ops, the names of the unmatched, and the seeds of those whose seeds differ.

        "agree": of the recorded seeds; "unseeded": then and now; "taken" over; "differ" and left. "others": (name
        there, seeds there, seeds here) of the last two.
        """
        counts = {key: self._counts[key] for key in ("agree", "unseeded", "taken", "differ")}
        return {**counts, "unmatched": self._unmatched, "others": self._others}

    def _visit_op(self, op: Any, seeds: tuple[int, int], graph: int) -> None:
        recorded = self._match(op, graph)
        if recorded is None:
            self._unmatched.append(op.name)
            return
        if seeds == (recorded.seed, recorded.seed2):
            self._counts["agree" if any(seeds) else "unseeded"] += 1
            return
        self._others.append((recorded.name, (recorded.seed, recorded.seed2), seeds))
        is_left = self._mode == RULE and not (recorded.given and not any(seeds))
        self._counts["differ" if is_left else "taken"] += 1
        if not is_left:
            _set_seeds(op, recorded)

    def _match(self, op: Any, graph: int) -> RandomOp | None:
        """Returns the recorded op of this name and type, preferably of the graph of this number."""
        for known in (*self._by_name[graph : graph + 1], *reversed(self._by_name)):
            recorded = known.get(op.name) or known.get(modern(op.name))
            if recorded is not None and recorded.type == op.type:
                return recorded
        return None


def _by_name(ops: Iterable[RandomOp]) -> dict[str, RandomOp]:
    """Returns name -> op, for the recorded names and for unambiguous modern names."""
    by_name = {op.name: op for op in ops}
    return {modern(name): op for name, op in by_name.items()} | by_name


def _set_seeds(op: Any, recorded: RandomOp) -> None:
    from tf2bridge.internals.protos import attr_value_pb2

    for attribute, value in (("seed", recorded.seed), ("seed2", recorded.seed2)):
        op._set_attr(attribute, attr_value_pb2.AttrValue(i=value))
