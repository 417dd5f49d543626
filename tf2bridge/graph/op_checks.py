"""Which operations of a graph cannot run in a function of TensorFlow 2, or may not."""

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
    """Raises UnsupportedOpsError if a node, or one of a function that it reaches, may not run.

    For nodes as they were written, before anything of them is imported; the error lists too what cannot run, as far as
    the nodes tell. `python`: what was given for the Python functions of a graph from a file; None for a graph of this
    process, whose functions `allow_ops` permits.
    """
    found, unbound = _refused(nodes, library, allow_ops, python)
    found = [each for each in found if _exists(each)]  # `check_known` tells of others
    if found or unbound:
        lines = unfit(but_variables(nodes, library), operations.stateful)
        raise UnsupportedOpsError([*map(str, found), *unbound, *lines], _types(found))


def check(graph_def: Any, allow_ops: Collection[str] = (), python: PythonFunctions | None = None) -> None:
    """Raises UnsupportedOpsError that lists every op of a prepared graph, and of its functions, that cannot run.

    Nor does anything run that may not: passes add nodes, and `check_permitted` did not see these.
    """
    found, unbound = _refused(graph_def.node, graph_def.library, allow_ops, python)
    lines = [*map(str, found), *unbound, *unfit(with_functions(graph_def.node, graph_def.library), _stateful)]
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
            lines.append(f"{node.name} ({op}) {NO_OPERATION}")
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
