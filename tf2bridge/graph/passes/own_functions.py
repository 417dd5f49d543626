"""Functions of a graph under names of their own: TensorFlow has one table of names for the whole process.

Another graph may bring a function of the same name, as two `Defun("Clipped")` of two models: the first would stand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from tf2bridge.audit import called
from tf2bridge.graph.nodes import Nodes


def with_own_functions(nodes: Nodes, library: Any) -> tuple[Nodes, Any]:
    """Returns the nodes, changed in place, and of a FunctionDefLibrary the part that they call, both with new names.

    A name ends with a hash of the whole library, so that equal names are equal functions.
    """
    used = _used(nodes, library)
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
    for gradient in library.gradient:
        if gradient.function_name in used:
            found.gradient.add(function_name=names[gradient.function_name], gradient_func=names[gradient.gradient_func])
    _rename(nodes.values(), names)
    return nodes, found


def _used(nodes: Nodes, library: Any) -> set[str]:
    functions = {each.signature.name: each for each in library.function}
    gradients = {each.function_name: each.gradient_func for each in library.gradient}
    pending = [name for node in nodes.values() for name in called(node)]
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name in functions and name not in found:
            found.add(name)
            pending += [each for node in functions[name].node_def for each in called(node)]
            pending += [gradients[name]] if name in gradients else []
    return found


def _rename(nodes: Iterable[Any], names: dict[str, str]) -> None:
    for node in nodes:
        node.op = names.get(node.op, node.op)
        for value in node.attr.values():
            if value.HasField("func"):
                value.func.name = names.get(value.func.name, value.func.name)
            for each in value.list.func if value.HasField("list") else ():
                each.name = names.get(each.name, each.name)
