"""Functions of a graph under names of their own: TensorFlow has one table of names for the whole process.

Another graph may bring a function of the same name, as two `Defun("Clipped")` of two models: the first would stand.
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
    """Returns the nodes, changed in place, and of a FunctionDefLibrary the part that they call, both with new names.

    A name ends with a hash of the whole library, so that equal names are equal functions.
    """
    used = set(reached(nodes.values(), library))
    if not used:
        return nodes, type(library)()
    digest = hashlib.sha256(library.SerializeToString(deterministic=True)).hexdigest()[:12]
    names = {name: f"{name}_{digest}" for name in used}
    found = type(library)()
    for function in library.function:
        if function.signature.name in used:
            kept = found.function.add()
            kept.CopyFrom(function)
            kept.signature.name = names[function.signature.name]
            _rename(kept.node_def, names)
            _rename_all(functions_in(attr.default_value for attr in kept.signature.attr), names)
    for gradient in library.gradient:
        if gradient.function_name in used:
            found.gradient.add(function_name=names[gradient.function_name], gradient_func=names[gradient.gradient_func])
    _rename(nodes.values(), names)
    return nodes, found


def without_unused(nodes: Nodes, library: Any) -> Any:
    """Returns the part of a FunctionDefLibrary that the nodes call, and the gradients of that."""
    used = set(reached(nodes.values(), library))
    found = type(library)()
    found.function.extend(each for each in library.function if each.signature.name in used)
    found.gradient.extend(each for each in library.gradient if each.function_name in used)
    return found


def _rename(nodes: Iterable[Any], names: dict[str, str]) -> None:
    for node in nodes:
        if node.op in names:
            node.op = names[node.op]
        node.attr.pop(GRADIENT_FUNCTION, None)
        _rename_all(functions_named_by(node), names)


def _rename_all(functions: Iterable[Any], names: dict[str, str]) -> None:
    for each in functions:
        each.name = names.get(each.name, each.name)
