"""The part of a GraphDef that some tensors need, and which of its ops cannot be made live."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator
from typing import Any

from tensorflow.python.framework import op_def_registry

DANGEROUS = {
    "reads or writes files": (
        "ReadFile", "WriteFile", "MatchingFiles", "Save*", "Restore*", "*Reader*", "*Dataset*",
        "MergeV2Checkpoints", "ShardedFilename*", "*SummaryWriter*", "InitializeTableFromTextFile*",
        "DecodeProto*", "EncodeProto*",
    ),
    "calls Python or another process": (
        "PyFunc*", "EagerPyFunc", "*Rpc*", "Send", "Recv", "_Send", "_Recv", "XlaHost*",
    ),
    "is a queue, whose runners need a session": ("*Queue*", "*Barrier*", "*Stack*V2", "*Accumulator*"),
    "is an iterator, which needs a session": ("*Iterator*",),
    "is a lookup table": ("*Table*",),
    "is a reference variable; make it with use_resource=True": ("Variable", "VariableV2", "TemporaryVariable"),
    "is control flow of the old kind": ("Enter", "Exit", "NextIteration", "Switch", "Merge", "LoopCond", "Ref*"),
}  # fmt: skip
"""Why an op is refused -> patterns of op types."""

LIVE_STATE = (
    "VarHandleOp", "ReadVariableOp", "*AssignVariableOp", "Assign*VariableOp", "VarIsInitializedOp", "Resource*",
    "_ReadVariables*", "Random*", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial", "Stateful*",
    "*CandidateSampler", "PartitionedCall", "While", "If", "Case", "Assert", "Print", "PrintV2", "DestroyResourceOp",
    "NoOp", "Placeholder*", "SampleDistortedBoundingBox*", "NonDeterministicInts", "Dropout*",
)  # fmt: skip
"""Ops with state that mean in a tf.function what they meant in a session."""


def needed(graph_def: Any, outputs: Iterable[str]) -> set[str]:
    """Returns the names of the nodes that the nodes `outputs` need, themselves included."""
    nodes = {node.name: node for node in graph_def.node}
    found: set[str] = set()
    pending = list(outputs)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += [source.removeprefix("^").partition(":")[0] for source in nodes[name].input]
    return found


def extracted(graph_def: Any, names: set[str], replaced: set[str]) -> Any:
    """Returns the nodes `names` of `graph_def` without `replaced`, free of placement: that changes no number."""
    part = type(graph_def)()
    part.versions.CopyFrom(graph_def.versions)
    part.library.CopyFrom(graph_def.library)
    for node in graph_def.node:
        if node.name in names - replaced:
            kept = part.node.add()
            kept.CopyFrom(node)
            kept.device = ""
            kept.attr.pop("_class", None)
    return part


def unsupported(graph_def: Any, names: set[str]) -> list[str]:
    """Returns a line for each op among the nodes `names`, and in the functions they call, that cannot be made live."""
    return [
        f"{node.name} ({node.op}) {why}" for node in _with_functions(graph_def, names) if (why := _refusal(node.op))
    ]


def _with_functions(graph_def: Any, names: set[str]) -> Iterator[Any]:
    functions = {function.signature.name: function for function in graph_def.library.function}
    pending = [node for node in graph_def.node if node.name in names]
    seen: set[str] = set()
    while pending:
        node = pending.pop()
        yield node
        called = {value.func.name for value in node.attr.values() if value.HasField("func")}
        called |= {each.name for value in node.attr.values() for each in value.list.func}
        for name in (called | {node.op}) & functions.keys() - seen:
            seen.add(name)
            pending += functions[name].node_def


def _refusal(op: str) -> str | None:
    for why, patterns in DANGEROUS.items():
        if any(fnmatch.fnmatchcase(op, pattern) for pattern in patterns):
            return why
    definition = op_def_registry.get(op)
    if definition is None or not definition.is_stateful:
        return None
    if any(fnmatch.fnmatchcase(op, pattern) for pattern in LIVE_STATE):
        return None
    return "keeps state of a kind that is not supported"
