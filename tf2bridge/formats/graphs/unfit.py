"""Finds operations that cannot run in a function of TensorFlow 2, without importing TensorFlow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.audit import fits, is_harmless, with_functions
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.lookup_operations import LOOKUP_OPS
from tf2bridge.formats.graphs.nodes import HANDLES

_SESSION_ONLY = {
    "is a queue, whose runners need a session": ("*Queue*", "*Barrier*", "*Accumulator*"),
    "is an iterator, which needs a session": ("*Iterator*",),
    "is no lookup table of TensorFlow 1.x": ("*Table*",),
    "is a temporary variable": ("TemporaryVariable", "DestroyTemporaryVariable"),
}
"""Why an op is refused -> patterns of op types."""


NO_OPERATION = (
    f"is no operation of TensorFlow {operations.RELEASE}: if it is one of your own, load its library first with "
    "tf.load_op_library"
)
"""Why an operation that TensorFlow does not have is refused."""


_LIVE_STATE = (
    "VarHandleOp", "ReadVariableOp", "*AssignVariableOp", "Assign*VariableOp", "VarIsInitializedOp", "Resource*",
    "_ReadVariables*", "Random*", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial", "Stateful*",
    "*CandidateSampler", "PartitionedCall", "While", "If", "Case", "Assert", "Print", "PrintV2", "DestroyResourceOp",
    "NoOp", "Placeholder*", "SampleDistortedBoundingBox*", "NonDeterministicInts", "Dropout*", "TensorArray*",
    "Stack*V2", "VariableShape", "*SparseToTensorsMap", "TakeManySparseFromTensorsMap", "CheckNumerics*",
)  # fmt: skip
"""Stateful operations that behave in a function as in a session."""


def unsupported(graph_def: Any) -> list[str]:
    """Returns a line for each operation of a legacy graph that `load` will refuse, as far as this table shows."""
    functions = functions_of(graph_def.library)
    unknown = [
        node
        for node in with_functions(graph_def.node, graph_def.library)
        if not operations.known(node.op) and node.op not in functions
    ]
    lines = [f"{node.name} ({node.op}) {NO_OPERATION}" for node in unknown]
    return [*lines, *unfit(but_variables(graph_def.node, graph_def.library), operations.stateful)]


def unfit(nodes: Iterable[Any], stateful: Callable[[str], bool]) -> list[str]:
    """Returns a line for each node with state that a function of TensorFlow 2 cannot keep.

    Nodes that need permission are left out: the audit lists them. `stateful` returns whether an operation type keeps
    state.
    """
    listed = list(nodes)
    refusals = {op: _refusal(op, stateful(op)) for op in {node.op for node in listed} if is_harmless(op)}
    reasons = {op: reason for op, reason in refusals.items() if reason}
    return [f"{node.name} ({node.op}) {reasons[node.op]}" for node in listed if node.op in reasons] if reasons else []


def but_variables(nodes: Collection[Any], library: Any) -> Iterator[Any]:
    """Yields the nodes, and those of their functions, except variables, since passes replace these."""
    return (node for node in with_functions(nodes, library) if node.op not in HANDLES)


def _refusal(op: str, stateful: bool) -> str | None:
    if op in LOOKUP_OPS:
        return None
    for why, patterns in _SESSION_ONLY.items():
        if fits(op, patterns):
            return why
    return "keeps state of a kind that is not supported" if stateful and not fits(op, _LIVE_STATE) else None
