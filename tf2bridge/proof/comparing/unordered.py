"""Values that no order decides: of a variable, read while the same call changes it.

TensorFlow runs the operations of a call as threads are free. Where neither the read nor the change waits for the other,
each release gives either value, and may give another in the next run: hooks fetch `global_step` so, beside the training
step that counts it (training/basic_session_run_hooks.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from tf2bridge.formats.graphs.nodes import HANDLES, VARIABLES, Nodes, by_name, data_inputs, needed, node_of
from tf2bridge.formats.messages import own
from tf2bridge.proof.comparing.changing import CHANGES
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

BEFORE, AFTER, UNDECIDED = "before", "after", "undecided"
"""When a variable is read: before or after the same call changes it."""
_REFERRING = ("RefSwitch", "RefEnter", "RefIdentity", "RefMerge", "RefExit", "RefNextIteration")
_FORWARDING = (
    *_REFERRING,
    *("Identity", "Switch", "Enter", "Merge", "Exit", "NextIteration"),
    *("Reshape", "Squeeze", "ExpandDims", "StopGradient", "CheckNumerics"),
)
"""They hand on the memory of a variable: it is read by what comes after them."""
_HANDING = ("Identity", "Switch", "Enter")
"""They hand on a resource, which is the variable itself."""
_NO_VALUE = ("IsVariableInitialized", "VarIsInitializedOp", "Shape", "ShapeN", "Size", "Rank", "VariableShape")


class Unordered:
    """Tells of the tensors of a trace's calls which variable they read while it is changed."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._graphs: dict[int, Nodes] = {}

    def variable(self, call: CallRecord, name: str) -> str:
        """Returns the variable behind a fetched tensor that the call changes with no order between; "" if there is
        none.
        """
        return next((variable for variable, order in self.reads(call, name) if order == UNDECIDED), "")

    def reads(self, call: CallRecord, name: str) -> Iterator[tuple[str, str]]:
        """Yields each variable that a fetched tensor reads and the call changes, and when it is read.

        The second value is BEFORE, AFTER or UNDECIDED; there is one pair for each read and each change.
        """
        nodes, end = self._nodes(call.graph), node_of(name)
        changes = self.changes(call)
        if not changes or end not in nodes:
            return
        fed = [node_of(leaf.name) for leaf in call.feeds]
        for reader, variable in _reads(nodes, needed(nodes, [end], fed), end):
            before = needed(nodes, [reader], fed)
            # What hands on the memory of a variable is looked at when the call is over.
            is_late = reader == end and nodes[end].op in (*_FORWARDING, *VARIABLES)
            for change in changes.get(variable, ()):
                if change in before:
                    yield variable, AFTER
                else:
                    is_open = is_late or reader not in needed(nodes, [change], fed)
                    yield variable, UNDECIDED if is_open else BEFORE

    def changes(self, call: CallRecord) -> dict[str, list[str]]:
        """Returns variable -> the operations of a call that change it."""
        nodes = self._nodes(call.graph)
        changes: dict[str, list[str]] = {}
        for op in needed(nodes, [node_of(leaf.name) for leaf in call.fetches], [node_of(f.name) for f in call.feeds]):
            if CHANGES.search(nodes[op].op):
                for variable in _changed(nodes, op):
                    changes.setdefault(variable, []).append(op)
        return changes

    def _nodes(self, graph: int) -> Nodes:
        if graph not in self._graphs:
            self._graphs[graph] = by_name(own("GraphDef").FromString(self._trace.graph_def(graph)).node)
        return self._graphs[graph]


def _reads(nodes: Nodes, path: set[str], end: str) -> Iterator[tuple[str, str]]:
    """Yields the operations on the way to a tensor that read variables, and which; in the order of their names."""
    if nodes[end].op in VARIABLES:
        yield end, end
    for name in sorted(path):
        kind = nodes[name].op
        if kind in _NO_VALUE or CHANGES.search(kind) or (kind in _FORWARDING and name != end):
            continue
        for source in data_inputs(nodes[name]):
            yield from ((name, variable) for variable in _behind(nodes, node_of(source), _FORWARDING, HANDLES))


def _changed(nodes: Nodes, op: str) -> Iterator[str]:
    """Yields the variables that an operation changes: those it is given themselves, not their values."""
    for source in data_inputs(nodes[op]):
        yield from _behind(nodes, node_of(source), _REFERRING, VARIABLES)
        yield from _behind(nodes, node_of(source), _HANDING, ("VarHandleOp",))


def _behind(nodes: Nodes, start: str, through: tuple[str, ...], kinds: tuple[str, ...]) -> Iterator[str]:
    pending, seen = [start], set[str]()
    while pending:
        name = pending.pop()
        if name in seen or name not in nodes:
            continue
        seen.add(name)
        if nodes[name].op in kinds:
            yield name
        elif nodes[name].op in through:
            pending += [node_of(source) for source in data_inputs(nodes[name])]
