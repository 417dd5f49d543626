"""Gives the functions of a graph unique names: TensorFlow has one table of function names for the whole process.

Two graphs may have different functions of the same name, such as `Defun("Clipped")`; TensorFlow would keep the first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from tf2bridge.formats.graphs.audit import reached
from tf2bridge.formats.graphs.called import functions_in, functions_named_by
from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.passes.strip import GRADIENT_FUNCTION


def with_own_functions(nodes: Nodes, library: Any) -> tuple[Nodes, Any]:
    """Renames the functions that the nodes call. A new name ends with a hash of the whole library.

    Returns:
        The nodes, changed in place, and a FunctionDefLibrary of the functions that they call.
    """
    used = set(reached(nodes.values(), library))
    if not used:
        return nodes, type(library)()
    digest = hashlib.sha256(library.SerializeToString(deterministic=True)).hexdigest()[:12]
    names = {name: f"{name}_{digest}" for name in used}
    renamed = type(library)()
    for function in library.function:
        if function.signature.name in used:
            copy = renamed.function.add()
            copy.CopyFrom(function)
            copy.signature.name = names[function.signature.name]
            _rename(copy.node_def, names)
            _rename_all(functions_in(attr.default_value for attr in copy.signature.attr), names)
    for gradient in library.gradient:
        if gradient.function_name in used:
            renamed.gradient.add(
                function_name=names[gradient.function_name], gradient_func=names[gradient.gradient_func]
            )
    _rename(nodes.values(), names)
    return nodes, renamed


def without_unused(nodes: Nodes, library: Any) -> Any:
    """Returns the functions of a FunctionDefLibrary that the nodes call, with their gradients."""
    used = set(reached(nodes.values(), library))
    part = type(library)()
    part.function.extend(function for function in library.function if function.signature.name in used)
    part.gradient.extend(gradient for gradient in library.gradient if gradient.function_name in used)
    return part


def _rename(nodes: Iterable[Any], names: dict[str, str]) -> None:
    for node in nodes:
        if node.op in names:
            node.op = names[node.op]
        node.attr.pop(GRADIENT_FUNCTION, None)
        _rename_all(functions_named_by(node), names)


def _rename_all(functions: Iterable[Any], names: dict[str, str]) -> None:
    for function in functions:
        function.name = names.get(function.name, function.name)
