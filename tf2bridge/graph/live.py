"""Which operations of a graph cannot run in a function of TensorFlow 2, or may not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.audit import FUNCTION, UNKNOWN, Touch, fits, is_harmless, refused, with_functions
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.constant_form import misfit
from tf2bridge.formats.graphs.lookup_operations import LOOKUP_OPS
from tf2bridge.formats.graphs.nodes import HANDLES, dependents
from tf2bridge.graph import operations
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


def check_permitted(
    nodes: Collection[Any], library: Any, allow_ops: Collection[str], python: PythonFunctions | None
) -> None:
    """Raises UnsupportedOpsError if a node, or one of a function that it reaches, may not run.

    For nodes as they were written, before anything of them is imported; the error lists too what cannot run, as far as
    the nodes tell. `python`: what was given for the Python functions of a graph from a file; None for a graph of this
    process, whose functions `allow_ops` permits.
    """
    found, unbound = _refused(nodes, library, allow_ops, python)
    found = [each for each in found if _exists(each)]  # `check_known` tells of others
    if found or unbound:
        unfit = _unfit(_but_variables(nodes, library), operations.stateful)
        raise UnsupportedOpsError([*map(str, found), *unbound, *unfit], _types(found))


def check(graph_def: Any, allow_ops: Collection[str] = (), python: PythonFunctions | None = None) -> None:
    """Raises UnsupportedOpsError that lists every op of a prepared graph, and of its functions, that cannot run.

    Nor does anything run that may not: passes add nodes, and `check_permitted` did not see these.
    """
    found, unbound = _refused(graph_def.node, graph_def.library, allow_ops, python)
    lines = [*map(str, found), *unbound, *_unfit(with_functions(graph_def.node, graph_def.library), _stateful)]
    if lines:
        raise UnsupportedOpsError(lines, _types(found))


def _refused(
    nodes: Collection[Any], library: Any, allow_ops: Collection[str], python: PythonFunctions | None
) -> tuple[list[Touch], list[str]]:
    """What may not run, and what calls Python in a graph from a file while no function was given for it."""
    found = refused(nodes, library, allow_ops)
    if python is None:
        return found, []
    calls = [each for each in found if each.op in PYTHON] or any(fits(op, allow_ops) for op in PYTHON)
    unbound = _unbound(with_functions(nodes, library), python) if calls else []
    return [each for each in found if each.op not in PYTHON], unbound


def _types(found: Iterable[Touch]) -> list[str]:
    """The operation types that permission would let run."""
    return [each.op for each in found if each.op != FUNCTION]


def _exists(touch: Touch) -> bool:
    from tf2bridge.internals.framework import op_def_registry

    return touch.does != UNKNOWN or op_def_registry.get(touch.op) is not None


def _stateful(op: str) -> bool:
    from tf2bridge.internals.framework import op_def_registry

    definition = op_def_registry.get(op)
    return definition is not None and bool(definition.is_stateful)


def _unbound(nodes: Iterable[Any], python: PythonFunctions) -> list[str]:
    """What calls Python, but no function that was given."""
    unbound = [node for node in nodes if node.op in PYTHON and not python.is_bound(node)]
    tokens = [node.attr["token"].s.decode().removeprefix(UNBOUND) for node in unbound]
    return [
        f"{node.name} ({node.op}) calls Python, and the function is not in the file: give it with "
        f"py_funcs={{{token!r}: FUNCTION}}"
        for node, token in zip(unbound, tokens, strict=True)
    ]


def _unfit(nodes: Iterable[Any], stateful: Callable[[str], bool]) -> list[str]:
    """What keeps state of a kind that no function of TensorFlow 2 can; not what may run only if it is permitted."""
    listed = list(nodes)
    refusals = {op: _refusal(op, stateful(op)) for op in {node.op for node in listed} if is_harmless(op)}
    unfit = {op: why for op, why in refusals.items() if why}
    return [f"{node.name} ({node.op}) {unfit[node.op]}" for node in listed if node.op in unfit] if unfit else []


def known_part(graph_def: Any) -> Any:
    """Returns a graph without the ops that this TensorFlow does not have, as those of contrib, and all behind them."""
    from tf2bridge.internals.framework import op_def_registry

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


def check_known(nodes: Iterable[Any], functions: Collection[str]) -> None:
    """Raises UnsupportedOpsError that lists every node of which TensorFlow knows the op, or an attribute, not.

    `functions`: names that are ops too. TensorFlow itself leaves attributes that it does not know out of account.
    """
    from tf2bridge.internals.framework import op_def_registry

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
        strange = () if known.issuperset(node.attr) else [name for name in node.attr if _is_strange(name, known)]
        if strange:
            lines.append(f"{node.name} ({op}) has attributes of a later release: {', '.join(sorted(strange))}")
    if lines:
        raise UnsupportedOpsError(lines)


def _is_strange(attribute: str, known: Collection[str]) -> bool:
    return attribute not in known and not attribute.startswith("_")


def unsupported(graph_def: Any) -> list[str]:
    """Returns what of a legacy graph `load` is going to refuse, as far as that is known without TensorFlow."""
    functions = functions_of(graph_def.library)
    unknown = [
        node
        for node in with_functions(graph_def.node, graph_def.library)
        if not operations.known(node.op) and node.op not in functions
    ]
    lines = [f"{node.name} ({node.op}) {_UNKNOWN}" for node in unknown]
    return [*lines, *_unfit(_but_variables(graph_def.node, graph_def.library), operations.stateful)]


def _but_variables(nodes: Collection[Any], library: Any) -> Iterator[Any]:
    """The nodes as they were written, and of their functions; passes make all variables such as can stay."""
    return (node for node in with_functions(nodes, library) if node.op not in HANDLES)


def _refusal(op: str, stateful: bool) -> str | None:
    if op in LOOKUP_OPS:
        return None
    for why, patterns in _SESSION_ONLY.items():
        if fits(op, patterns):
            return why
    return "keeps state of a kind that is not supported" if stateful and not fits(op, LIVE_STATE) else None
