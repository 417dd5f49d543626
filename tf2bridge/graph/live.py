"""Which operations of a prepared graph cannot run in a function of TensorFlow 2, or may not."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.audit import fits, refused, touches, with_functions
from tf2bridge.graph import operations
from tf2bridge.graph.called import functions_of
from tf2bridge.graph.constant_form import misfit
from tf2bridge.graph.lookup_ops import LOOKUP_OPS
from tf2bridge.graph.nodes import HANDLES, dependents
from tf2bridge.graph.passes.python_functions import PYTHON, UNBOUND
from tf2bridge.graph.refusals import NewerGraphError, UnsupportedOpsError

if TYPE_CHECKING:
    from tf2bridge.graph.python_functions import PythonFunctions

_SESSION_ONLY = {
    "is a queue, whose runners need a session": ("*Queue*", "*Barrier*", "*Accumulator*"),
    "is an iterator, which needs a session": ("*Iterator*",),
    "is no lookup table of TensorFlow 1.x": ("*Table*",),
    "is a temporary variable": ("TemporaryVariable", "DestroyTemporaryVariable"),
}
"""Why an op is refused -> patterns of op types."""

_UNKNOWN = (
    f"is no operation of TensorFlow {operations.RELEASE}: if it is one of your own, load its library first with "
    "tf.load_op_library"
)

LIVE_STATE = (
    "VarHandleOp", "ReadVariableOp", "*AssignVariableOp", "Assign*VariableOp", "VarIsInitializedOp", "Resource*",
    "_ReadVariables*", "Random*", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial", "Stateful*",
    "*CandidateSampler", "PartitionedCall", "While", "If", "Case", "Assert", "Print", "PrintV2", "DestroyResourceOp",
    "NoOp", "Placeholder*", "SampleDistortedBoundingBox*", "NonDeterministicInts", "Dropout*", "TensorArray*",
    "Stack*V2", "VariableShape", "*SparseToTensorsMap", "TakeManySparseFromTensorsMap",
)  # fmt: skip
"""Ops with state that mean in a function what they meant in a session."""


def check(graph_def: Any, allow_ops: Collection[str] = (), python: PythonFunctions | None = None) -> None:
    """Raises UnsupportedOpsError that lists every op of a graph, and of its functions, that cannot or may not run.

    `python`: what was given for the Python functions of a graph from a file; None for a graph of this process, whose
    functions `allow_ops` permits.
    """
    from tensorflow.python.framework import op_def_registry

    nodes = list(with_functions(graph_def))
    found = touches(nodes)
    touching = [each for each in refused(found, allow_ops) if python is None or each.op not in PYTHON]
    lines = [str(each) for each in touching]
    if python is not None:
        lines += [_unbound(node) for node in nodes if node.op in PYTHON and not python.is_bound(node)]
    why: dict[str, str | None] = {each.op: None for each in found}  # these are settled
    for op in {node.op for node in nodes} - why.keys():
        definition = op_def_registry.get(op)
        why[op] = _refusal(op, definition is not None and definition.is_stateful)
    wrong = {op for op, reason in why.items() if reason}
    lines += [f"{node.name} ({node.op}) {why[node.op]}" for node in nodes if wrong and node.op in wrong]
    if lines:
        raise UnsupportedOpsError(lines, [each.op for each in touching])


def known_part(graph_def: Any) -> Any:
    """Returns a graph without the ops that this TensorFlow does not have, as those of contrib, and all behind them."""
    from tensorflow.python.framework import op_def_registry

    functions = {each.signature.name for each in graph_def.library.function}
    kinds = {node.op for node in graph_def.node} - functions
    unknown = {op for op in kinds if op_def_registry.get(op) is None}
    if not unknown:
        return graph_def
    roots = [node.name for node in graph_def.node if node.op in unknown]
    left_out = dependents(graph_def.node, roots, lambda node: node.input)
    part = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    part.node.extend(node for node in graph_def.node if node.name not in left_out)
    return part


def check_versions(path: Path, versions: Any) -> None:
    """Raises NewerGraphError for a graph (its VersionDef) that says that this TensorFlow is too old for it."""
    import tensorflow as tf

    own = tf.version.GRAPH_DEF_VERSION
    if versions.min_consumer > own or own in versions.bad_consumers:
        raise NewerGraphError(path, versions.min_consumer, own, tf.__version__)


def _unbound(node: Any) -> str:
    token = node.attr["token"].s.decode().removeprefix(UNBOUND)
    return (
        f"{node.name} ({node.op}) calls Python, and the function is not in the file: give it with "
        f"py_funcs={{{token!r}: FUNCTION}}"
    )


def check_known(nodes: Iterable[Any], functions: Collection[str]) -> None:
    """Raises UnsupportedOpsError that lists every node of which TensorFlow knows the op, or an attribute, not.

    `functions`: names that are ops too. TensorFlow itself leaves attributes that it does not know out of account.
    """
    from tensorflow.python.framework import op_def_registry

    lines = []
    attributes: dict[str, set[str] | None] = {}
    for node in nodes:
        op = node.op
        if op in functions:
            continue
        if op not in attributes:
            definition = op_def_registry.get(op)
            attributes[op] = {each.name for each in definition.attr} if definition is not None else None
        known = attributes[op]
        if known is None:
            lines.append(f"{node.name} ({op}) {_UNKNOWN}")
            continue
        if op == "Const" and (wrong := misfit(node)):
            lines.append(f"{node.name} (Const) is damaged: {wrong}")
        strange = [name for name in node.attr if name not in known and not name.startswith("_")]
        if strange:
            lines.append(f"{node.name} ({op}) has attributes of a later release: {', '.join(sorted(strange))}")
    if lines:
        raise UnsupportedOpsError(lines)


def unsupported(graph_def: Any) -> list[str]:
    """Returns what of a legacy graph `load` is going to refuse, as far as that is known without TensorFlow."""
    functions = functions_of(graph_def.library)
    lines = []
    for node in with_functions(graph_def):
        if not operations.known(node.op) and node.op not in functions:
            lines.append(f"{node.name} ({node.op}) {_UNKNOWN}")
        elif node.op not in HANDLES and (why := _refusal(node.op, operations.stateful(node.op))):
            lines.append(f"{node.name} ({node.op}) {why}")
    return lines


def _refusal(op: str, stateful: bool) -> str | None:
    if op in LOOKUP_OPS:
        return None
    for why, patterns in _SESSION_ONLY.items():
        if fits(op, patterns):
            return why
    return "keeps state of a kind that is not supported" if stateful and not fits(op, LIVE_STATE) else None
