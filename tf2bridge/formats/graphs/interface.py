"""The inputs and outputs that a legacy graph is meant to have, and how each was told."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.lookup_operations import LOOKUP_OPS
from tf2bridge.formats.graphs.nodes import by_name, data_inputs, dependents, endpoint, needed, node_of, op_of
from tf2bridge.formats.graphs.refusals import UnknownNameError, UnknownSignatureError

PLACEHOLDERS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")
_SOURCES = ("QueueDequeue*", "IteratorGetNext*", "ReaderRead*")
"""What fed a graph without a placeholder: each of its results that is used becomes an input."""
_NO_RESULT = (
    "NoOp", "Assert", "Assign*", "Save*", "Restore*", "*Summary*", "Const", "Variable*", "VarHandleOp", "Scatter*",
    "Apply*", "ResourceApply*", "SparseApply*", "ResourceSparseApply*", "Merge", "Placeholder*", "IsVariable*",
    "VarIsInitialized*", "ReadVariableOp", "*Queue*", "ControlTrigger", "Print*", "ReportUninitialized*",
    "Stack*", "TensorArray*", "Enter", "Exit", "NextIteration", "Switch", "LoopCond", "Ref*", "CountUpTo",
    *(each for each in LOOKUP_OPS if not each.startswith("LookupTableFind")),
)  # fmt: skip
"""Operations whose value nobody is after."""

_LOOK = ("Save*", "*Summary*")
"""Operations that only look at a value."""

_FORM = ("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike")
"""Operations that take the form of a value, not what is in it."""

BACKWARD = re.compile(r"(^|/)(gradients(_\d+)?|save(_\d+)?|report_uninitialized_variables(_\d+)?)/|/Initializer/")
_SHAPES_SAID = 24
"""Before this GraphDef version an empty shape of a placeholder meant an unknown one (core/public/version.h)."""


@dataclass(frozen=True)
class Interface:
    """`inputs` and `outputs`: name -> endpoint. `how`: where they were found, for people.

    `names`: further names, of endpoints and operations, by which these can be fed and fetched.
    """

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    how: str
    names: Mapping[str, str] = field(default_factory=dict)


def interface(
    graph: LegacyGraph, inputs: Sequence[str] | None, outputs: Sequence[str] | None, key: str | None = None
) -> Interface:
    """Returns what was asked for by name or pattern, else the signature of this key, or the serving one, else
    placeholders and unused results.

    Raises UnknownNameError, UnknownSignatureError.
    """
    nodes = by_name(graph.graph_def.node)
    if key is not None and key not in graph.signatures:
        raise UnknownSignatureError(key, list(graph.signatures))
    serving = _serving(graph) if key is None else graph.signatures[key]
    signature = serving if outputs is None else None
    if signature is not None:
        ends, how = dict(signature.outputs), "the signature"
    elif outputs is not None:
        ends, how = dict(_asked(nodes, outputs)), "as asked"
    else:
        ends, how = (
            {node_of(name): name for name in _sinks(nodes)},
            "tensors that nothing uses but gradients and savers",
        )
    if inputs is not None:
        return Interface(dict(_asked(nodes, inputs)), ends, how)
    if signature is not None and signature.inputs:
        return Interface(dict(signature.inputs), ends, how)
    return Interface({_short(source): source for source in _fed(nodes, ends.values())}, ends, how)


def _fed(nodes: Mapping[str, Any], ends: Iterable[str]) -> list[str]:
    """The placeholders behind `ends`, and what of queues, readers and iterators is used: nothing lies behind these."""
    sources = [name for name, node in nodes.items() if fits(node.op, _SOURCES)]
    used = needed(nodes, map(node_of, ends), sources)
    read = {source for name in used if name not in sources for source in data_inputs(nodes[name])}
    given = [endpoint(name) for name, node in nodes.items() if node.op in PLACEHOLDERS and name in used]
    return given + sorted(source for source in read if node_of(source) in sources)


def _short(source: str) -> str:
    return source.removesuffix(":0")


def resolve(nodes: Mapping[str, Any], name: str, others: Iterable[str] = ()) -> str:
    """The endpoint, or name of an operation without outputs, that `name` means: exact, a pattern, or an end of one.

    `others`: names that were known besides, for the message. Raises UnknownNameError.
    """
    if ":" in name and node_of(name) in nodes and not name.startswith("^"):
        return name
    if name in nodes:
        return _end(nodes[name])
    base = name.removesuffix(":0")
    fitting = [each for each in nodes if fnmatch.fnmatchcase(each, base)]
    fitting = fitting or [each for each in nodes if each.endswith(f"/{base}")]
    if len(fitting) != 1:
        raise UnknownNameError(name, [*others, *nodes], fitting)
    return _end(nodes[fitting[0]])


def _end(node: Any) -> str:
    return str(node.name) if operations.without_outputs(node.op) else f"{node.name}:0"


def shape_said(graph_def: Any, node: Any, port: int) -> list[int | None] | None:
    """The shape of an output that a placeholder, an iterator or a stored attribute says; None for an unknown one."""
    found = None
    for stored in ("output_shapes", "_output_shapes"):
        if stored in node.attr and port < len(node.attr[stored].list.shape):
            found = node.attr[stored].list.shape[port]
    if node.op in PLACEHOLDERS and "shape" in node.attr:
        said = node.attr["shape"].shape
        found = said if said.dim or graph_def.versions.producer >= _SHAPES_SAID else None
    return sizes(found) if found is not None else None


def sizes(shape: Any) -> list[int | None] | None:
    """The sizes that a TensorShapeProto says, None for an unknown one; None where their number is unknown."""
    return None if shape.unknown_rank else [None if each.size < 0 else int(each.size) for each in shape.dim]


def _serving(graph: LegacyGraph) -> Any:
    for name in ("serving_default", "default"):
        if name in graph.signatures:
            return graph.signatures[name]
    return next(iter(graph.signatures.values())) if len(graph.signatures) == 1 else None


def _asked(nodes: Mapping[str, Any], names: Iterable[str]) -> Iterable[tuple[str, str]]:
    return [(_short(name), resolve(nodes, name)) for name in names]


def _sinks(nodes: Mapping[str, Any]) -> list[str]:
    """Endpoints that depend on a placeholder, where there is one, and that nothing forward computes with."""
    computing = {name for name in nodes if not BACKWARD.search(name) and not fits(nodes[name].op, _LOOK)}
    used = {node_of(source) for name in computing for source in nodes[name].input}
    ends = computing - used
    fed = _behind_placeholders(nodes)
    found = [name for name in nodes if name in ends and not _passes(nodes, name) and (name in fed or not fed)]
    return [f"{name}:0" for name in found]


def _passes(nodes: Mapping[str, Any], name: str) -> bool:
    """Whether a node is no result by its kind: `switch_t` and `pred_id` of a condition are such `Identity`s."""
    node = nodes[name]
    if node.op == "Identity" and op_of(nodes, node.input[0]) in (*PLACEHOLDERS, "Switch"):
        return True
    return fits(node.op, _NO_RESULT)


def _behind_placeholders(nodes: Mapping[str, Any]) -> set[str]:
    roots = [name for name, node in nodes.items() if node.op in PLACEHOLDERS or fits(node.op, _SOURCES)]
    return dependents(nodes.values(), roots, lambda node: () if node.op in _FORM else data_inputs(node))
