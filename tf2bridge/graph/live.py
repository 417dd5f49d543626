"""Which operations of a prepared graph cannot run in a function of TensorFlow 2, or may not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tensorflow.python.framework import op_def_registry

from tf2bridge.audit import audit, fits, refused, with_functions
from tf2bridge.graph.refusals import UnsupportedOpsError

_SESSION_ONLY = {
    "is a queue, whose runners need a session": ("*Queue*", "*Barrier*", "*Accumulator*"),
    "is an iterator, which needs a session": ("*Iterator*",),
    "is a lookup table": ("*Table*",),
    "is a temporary variable": ("TemporaryVariable", "DestroyTemporaryVariable"),
}
"""Why an op is refused -> patterns of op types."""

LIVE_STATE = (
    "VarHandleOp", "ReadVariableOp", "*AssignVariableOp", "Assign*VariableOp", "VarIsInitializedOp", "Resource*",
    "_ReadVariables*", "Random*", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial", "Stateful*",
    "*CandidateSampler", "PartitionedCall", "While", "If", "Case", "Assert", "Print", "PrintV2", "DestroyResourceOp",
    "NoOp", "Placeholder*", "SampleDistortedBoundingBox*", "NonDeterministicInts", "Dropout*", "TensorArray*",
    "Stack*V2",
)  # fmt: skip
"""Ops with state that mean in a function what they meant in a session."""


def check(graph_def: Any, allow_ops: Collection[str] = ()) -> None:
    """Raises UnsupportedOpsError that lists every op of a graph, and of its functions, that cannot or may not run."""
    touches = audit(graph_def)
    touching = refused(touches, allow_ops)
    settled = {each.op for each in touches}
    lines = [str(each) for each in touching]
    for node in with_functions(graph_def):
        if node.op not in settled and (why := _refusal(node.op)):
            lines.append(f"{node.name} ({node.op}) {why}")
    if lines:
        raise UnsupportedOpsError(lines, [each.op for each in touching])


def _refusal(op: str) -> str | None:
    for why, patterns in _SESSION_ONLY.items():
        if fits(op, patterns):
            return why
    definition = op_def_registry.get(op)
    if definition is None or not definition.is_stateful or fits(op, LIVE_STATE):
        return None
    return "keeps state of a kind that is not supported"
