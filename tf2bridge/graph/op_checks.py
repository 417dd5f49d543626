"""Checks that the operations of a graph exist in TensorFlow 2, fit into a function, and are permitted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.audit import FUNCTION, UNKNOWN, Touch, fits, refused, with_functions
from tf2bridge.formats.graphs.constant_form import misfit
from tf2bridge.formats.graphs.nodes import dependents
from tf2bridge.formats.graphs.unfit import NO_OPERATION, but_variables, unfit
from tf2bridge.graph.passes.python_tokens import PYTHON, UNBOUND
from tf2bridge.graph.refusals import NewerGraphError, UnsupportedOpsError

if TYPE_CHECKING:
    from tf2bridge.graph.python_functions import PythonFunctions


def check_permitted(
    nodes: Collection[Any], library: Any, allow_ops: Collection[str], python: PythonFunctions | None
) -> None:
    """Raises UnsupportedOpsError if a node, or a node of a function that it calls, is not permitted.

    Checks nodes as they were written, before TensorFlow imports any of them. The error also lists operations that are
    permitted but cannot run, as far as the nodes show.

    Args:
        nodes: the nodes to check.
        library: the functions that the nodes call.
        allow_ops: patterns of operation types that are permitted.
        python: the functions given for Python calls of a graph from a file; None for a graph of this process, whose
            functions `allow_ops` permits.
    """
    touches, unbound = _refused(nodes, library, allow_ops, python)
    touches = [touch for touch in touches if _exists(touch)]  # `check_known` reports unknown operations
    if touches or unbound:
        lines = unfit(but_variables(nodes, library), operations.stateful)
        raise UnsupportedOpsError([*map(str, touches), *unbound, *lines], _types(touches))


def check(graph_def: Any, allow_ops: Collection[str] = (), python: PythonFunctions | None = None) -> None:
    """Raises UnsupportedOpsError that lists every operation of a prepared graph that cannot run or is not permitted.

    It also checks the functions of the graph. Permission is checked again, because passes add nodes that
    `check_permitted` did not see.
    """
    touches, unbound = _refused(graph_def.node, graph_def.library, allow_ops, python)
    lines = [*map(str, touches), *unbound, *unfit(with_functions(graph_def.node, graph_def.library), _stateful)]
    if lines:
        raise UnsupportedOpsError(lines, _types(touches))


def _refused(
    nodes: Collection[Any], library: Any, allow_ops: Collection[str], python: PythonFunctions | None
) -> tuple[list[Touch], list[str]]:
    """Returns the operations that are not permitted, and a line for each Python call that has no function."""
    touches = refused(nodes, library, allow_ops)
    if python is None:
        return touches, []
    calls = [touch for touch in touches if touch.op in PYTHON] or any(fits(op, allow_ops) for op in PYTHON)
    unbound = _unbound(with_functions(nodes, library), python) if calls else []
    return [touch for touch in touches if touch.op not in PYTHON], unbound


def _types(touches: Iterable[Touch]) -> list[str]:
    """Returns the operation types that `allow_ops` can permit."""
    return [touch.op for touch in touches if touch.op != FUNCTION]


def _exists(touch: Touch) -> bool:
    from tf2bridge.internals.framework import op_def_registry

    return touch.does != UNKNOWN or op_def_registry.get(touch.op) is not None


def _stateful(op: str) -> bool:
    from tf2bridge.internals.framework import op_def_registry

    definition = op_def_registry.get(op)
    return definition is not None and bool(definition.is_stateful)


def _unbound(nodes: Iterable[Any], python: PythonFunctions) -> list[str]:
    """Returns a line for each node that calls Python and has no given function."""
    unbound = [node for node in nodes if node.op in PYTHON and not python.is_bound(node)]
    tokens = [node.attr["token"].s.decode().removeprefix(UNBOUND) for node in unbound]
    return [
        f"{node.name} ({node.op}) calls Python, and the function is not in the file: give it with "
        f"py_funcs={{{token!r}: FUNCTION}}"
        for node, token in zip(unbound, tokens, strict=True)
    ]


def known_part(graph_def: Any) -> Any:
    """Returns the graph without operations that this TensorFlow lacks, and without all that depends on them."""
    from tf2bridge.internals.framework import op_def_registry

    functions = {function.signature.name for function in graph_def.library.function}
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
    """Raises NewerGraphError if the VersionDef of a graph says that this TensorFlow is too old for the graph."""
    import tensorflow as tf

    own = tf.version.GRAPH_DEF_VERSION
    if versions.min_consumer > own or own in versions.bad_consumers:
        raise NewerGraphError(path, versions.min_consumer, own, tf.__version__)


def check_known(nodes: Iterable[Any], functions: Collection[str]) -> None:
    """Raises UnsupportedOpsError that lists every node with an op or attribute that TensorFlow does not know.

    TensorFlow itself ignores attributes that it does not know.

    Args:
        nodes: the nodes to check.
        functions: names of functions of the graph, which are known operations too.
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
            attributes[op] = {attribute.name for attribute in definition.attr} if definition is not None else None
        known = attributes[op]
        if known is None:
            lines.append(f"{node.name} ({op}) {NO_OPERATION}")
            continue
        if op == "Const" and (wrong := misfit(node)):
            lines.append(f"{node.name} (Const) is damaged: {wrong}")
        later = () if known.issuperset(node.attr) else [name for name in node.attr if _is_unknown(name, known)]
        if later:
            lines.append(f"{node.name} ({op}) has attributes of a later release: {', '.join(sorted(later))}")
    if lines:
        raise UnsupportedOpsError(lines)


def _is_unknown(attribute: str, known: Collection[str]) -> bool:
    return attribute not in known and not attribute.startswith("_")
