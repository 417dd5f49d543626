"""Finds the inputs and outputs of a legacy graph."""

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
"""Operations that feed a graph in place of placeholders: each of their outputs that is used becomes an input."""
SCATTERS = (
    "ScatterAdd", "ScatterSub", "ScatterMul", "ScatterDiv", "ScatterMin", "ScatterMax", "ScatterUpdate",
    "ScatterNdAdd", "ScatterNdSub", "ScatterNdUpdate", "ResourceScatter*",
)  # fmt: skip
"""Operations that change rows of a variable. `ScatterNd` is none of them: it computes a tensor."""
_ARRAYS = (
    "TensorArray", "TensorArrayV2", "TensorArrayV3", "TensorArrayGrad*", "TensorArrayWrite*", "TensorArrayScatter*",
    "TensorArraySplit*", "TensorArrayUnpack*", "TensorArrayClose*", "TensorArraySize*",
)  # fmt: skip
"""Operations that give an array or its size. Others give a tensor, such as that of `tf.map_fn`."""
_NO_RESULT = (
    "NoOp", "Assert", "Assign*", "Save*", "Restore*", "*Summary*", "Const", "Variable*", "VarHandleOp", *SCATTERS,
    "Apply*", "ResourceApply*", "SparseApply*", "ResourceSparseApply*", "Merge", "Placeholder*", "IsVariable*",
    "VarIsInitialized*", "ReadVariableOp", "*Queue*", "ControlTrigger", "Print*", "ReportUninitialized*",
    "Stack*", *_ARRAYS, "Enter", "Exit", "NextIteration", "Switch", "LoopCond", "Ref*", "CountUpTo",
    *(op for op in LOOKUP_OPS if not op.startswith("LookupTableFind")),
)  # fmt: skip
"""Operations whose value is never an output of a model."""

_LOOK = ("Save*", "*Summary*")
"""Operations that only record a value: the value may still be an output."""

_FORM = ("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike")
"""Operations that use only the shape of a value."""

BACKWARD = re.compile(r"(^|/)(gradients(_\d+)?|save(_\d+)?|report_uninitialized_variables(_\d+)?)/|/Initializer/")
_SHAPES_SAID = 24
"""Before this GraphDef version an empty shape of a placeholder means an unknown shape (core/public/version.h)."""


@dataclass(frozen=True)
class Interface:
    """The inputs and outputs of a graph.

    Attributes:
        inputs: name -> endpoint.
        outputs: name -> endpoint.
        how: a text that says how they were found.
        names: further name -> endpoint or operation that can be fed and fetched by it.
    """

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    how: str
    names: Mapping[str, str] = field(default_factory=dict)


def interface(
    graph: LegacyGraph, inputs: Sequence[str] | None, outputs: Sequence[str] | None, key: str | None = None
) -> Interface:
    """Returns the inputs and outputs of a graph.

    Args:
        graph: the graph.
        inputs: names or patterns; by default the inputs of the signature, or the placeholders that the outputs need.
        outputs: names or patterns; by default the outputs of the signature, or the results that nothing uses.
        key: the key of the signature; by default the serving signature.

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
        ends, how = dict(_resolved(nodes, outputs)), "as asked"
    else:
        ends, how = (
            {node_of(name): name for name in _sinks(nodes)},
            "tensors that nothing uses but gradients and savers",
        )
    if inputs is not None:
        return Interface(dict(_resolved(nodes, inputs)), ends, how)
    if signature is not None and signature.inputs:
        return Interface(dict(signature.inputs), ends, how)
    return Interface({_short(source): source for source in _fed(nodes, ends.values())}, ends, how)


def has_default(graph: LegacyGraph) -> bool:
    """Returns True if one signature is the default: the only one, or the serving signature."""
    return _serving(graph) is not None


def _fed(nodes: Mapping[str, Any], ends: Iterable[str]) -> list[str]:
    """Returns the placeholders that `ends` need, and the used outputs of queues, readers and iterators."""
    sources = [name for name, node in nodes.items() if fits(node.op, _SOURCES)]
    used = needed(nodes, map(node_of, ends), sources)
    read = {source for name in used if name not in sources for source in data_inputs(nodes[name])}
    placeholders = [endpoint(name) for name, node in nodes.items() if node.op in PLACEHOLDERS and name in used]
    return placeholders + sorted(source for source in read if node_of(source) in sources)


def pipeline_of(nodes: Mapping[str, Any], source: str) -> str:
    """Returns the type of the queue, iterator or reader that gives an endpoint, or ""."""
    op = op_of(nodes, source)
    return op if fits(op, _SOURCES) else ""


def _short(source: str) -> str:
    return source.removesuffix(":0")


def resolve(nodes: Mapping[str, Any], name: str, further_names: Iterable[str] = ()) -> str:
    """Returns the endpoint, or operation without outputs, that a name means.

    Args:
        nodes: the nodes by name.
        name: an exact name, a pattern, or the end of a name.
        further_names: further known names, for the message of the error.

    Raises:
        UnknownNameError: the name fits no node, or several.
    """
    if ":" in name and node_of(name) in nodes and not name.startswith("^"):
        return name
    if name in nodes:
        return _end(nodes[name])
    base = name.removesuffix(":0")
    fitting = [node_name for node_name in nodes if fnmatch.fnmatchcase(node_name, base)]
    fitting = fitting or [node_name for node_name in nodes if node_name.endswith(f"/{base}")]
    if len(fitting) != 1:
        raise UnknownNameError(name, [*further_names, *nodes], fitting)
    return _end(nodes[fitting[0]])


def _end(node: Any) -> str:
    return str(node.name) if operations.without_outputs(node.op) else f"{node.name}:0"


def stated_shape(graph_def: Any, node: Any, port: int) -> list[int | None] | None:
    """Returns the shape of an output from a placeholder, an iterator or a stored attribute, or None if unknown."""
    shape = None
    for attribute in ("output_shapes", "_output_shapes"):
        if attribute in node.attr and port < len(node.attr[attribute].list.shape):
            shape = node.attr[attribute].list.shape[port]
    if node.op in PLACEHOLDERS and "shape" in node.attr:
        stated = node.attr["shape"].shape
        shape = stated if stated.dim or graph_def.versions.producer >= _SHAPES_SAID else None
    return sizes(shape) if shape is not None else None


def sizes(shape: Any) -> list[int | None] | None:
    """Returns the sizes of a TensorShapeProto, with None for an unknown size, or None for an unknown rank."""
    return (
        None if shape.unknown_rank else [None if dimension.size < 0 else int(dimension.size) for dimension in shape.dim]
    )


def _serving(graph: LegacyGraph) -> Any:
    for name in ("serving_default", "default"):
        if name in graph.signatures:
            return graph.signatures[name]
    return next(iter(graph.signatures.values())) if len(graph.signatures) == 1 else None


def _resolved(nodes: Mapping[str, Any], names: Iterable[str]) -> Iterable[tuple[str, str]]:
    return [(_short(name), resolve(nodes, name)) for name in names]


def _sinks(nodes: Mapping[str, Any]) -> list[str]:
    """Returns the endpoints that no forward computation uses; if the graph is fed, only those that depend on a feed."""
    computing = {name for name in nodes if not BACKWARD.search(name) and not fits(nodes[name].op, _LOOK)}
    used = {node_of(source) for name in computing for source in nodes[name].input}
    ends = computing - used - _within_loops(nodes) - _within_branches(nodes)
    fed = _behind_placeholders(nodes)
    outputs = [name for name in nodes if name in ends and not _is_no_result(nodes, name) and (name in fed or not fed)]
    return [f"{name}:0" for name in outputs]


def _is_no_result(nodes: Mapping[str, Any], name: str) -> bool:
    """Returns whether the operation of a node is never an output, such as `switch_t` and `pred_id` of a condition."""
    node = nodes[name]
    if node.op == "Identity" and op_of(nodes, node.input[0]) in (*PLACEHOLDERS, "Switch"):
        return True
    return fits(node.op, _NO_RESULT)


def _within_loops(nodes: Mapping[str, Any]) -> set[str]:
    """Returns the nodes of loops, whose values TensorFlow does not let anyone fetch."""
    roots = [name for name, node in nodes.items() if node.op in ("Enter", "RefEnter")]
    return dependents(nodes.values(), roots, lambda node: () if node.op in ("Exit", "RefExit") else node.input)


def _within_branches(nodes: Mapping[str, Any]) -> set[str]:
    """Returns the nodes of the branches of conditions: a fetch of one fails whenever its branch is not taken.

    A node behind a condition within a branch is not among them.
    """
    roots = [
        name
        for name, node in nodes.items()
        if node.op in ("Switch", "RefSwitch") and len(node.input) > 1 and op_of(nodes, node.input[1]) != "LoopCond"
    ]
    return dependents(nodes.values(), roots, lambda node: () if _ends_condition(nodes, node) else node.input)


def _ends_condition(nodes: Mapping[str, Any], node: Any) -> bool:
    """Returns True for a merge of two branches; that of a loop takes what the last iteration gave."""
    is_merge = node.op in ("Merge", "RefMerge")
    return is_merge and not any(op_of(nodes, source) in ("NextIteration", "RefNextIteration") for source in node.input)


def _behind_placeholders(nodes: Mapping[str, Any]) -> set[str]:
    roots = [name for name, node in nodes.items() if node.op in PLACEHOLDERS or fits(node.op, _SOURCES)]
    return dependents(nodes.values(), roots, lambda node: () if node.op in _FORM else data_inputs(node))
