"""The functions of a graph, and which of them its nodes call."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

LOOPS = ("While", "StatelessWhile")
CHOICES = ("If", "StatelessIf")
"""Loops and conditions whose bodies are functions."""

_NONE: Mapping[str, str] = MappingProxyType({})
Names = Callable[[Iterable[Any]], Iterable[str]]
"""Gives the names of what nodes run, of each node after those of the node before."""


def functions_of(library: Any) -> dict[str, Any]:
    """Name -> FunctionDef, of a FunctionDefLibrary."""
    return {each.signature.name: each for each in library.function}


def functions_in(values: Iterable[Any]) -> Iterator[Any]:
    """The functions that values of attributes name, as NameAttrLists; a function may be given others."""
    pending = list(values)
    while pending:
        value = pending.pop()
        kind = value.WhichOneof("value")
        for function in [value.func] if kind == "func" else value.list.func if kind == "list" else ():
            yield function
            if function.attr:
                pending.extend(function.attr.values())


def functions_named_by(node: Any) -> list[Any]:
    """The functions that the attributes of a node name, as NameAttrLists; of nearly all nodes none does."""
    found: list[Any] = []
    attributes = node.attr
    for key in attributes:  # `values()` takes twice as long
        value = attributes[key]
        kind = value.WhichOneof("value")
        if kind == "func" or (kind == "list" and value.list.func):
            found.extend(functions_in([value]))
    return found


def called(node: Any) -> set[str]:
    """The names of what a node runs: its operation, and the functions that its attributes name."""
    return {node.op, *(function.name for function in functions_named_by(node))}


def run_by(nodes: Iterable[Any]) -> list[str]:
    """The names of what nodes run."""
    return [name for node in nodes for name in called(node)]


def called_by(function: Any, names: Names = run_by) -> set[str]:
    """The names of what a function runs; `names` gives those of what nodes do."""
    return defaults(function).union(names(function.node_def))


def defaults(function: Any) -> set[str]:
    """The names of the functions that a function calls where a call gives it no others."""
    return {each.name for each in functions_in(attr.default_value for attr in function.signature.attr)}


def all_called(
    nodes: Iterable[Any],
    functions: Mapping[str, Any],
    gradients: Mapping[str, str] = _NONE,
    names: Names = run_by,
) -> list[str]:
    """The names of the functions that nodes call, directly or not, what is called first before the others.

    `names` gives the names of what nodes run.
    `gradients`: function, or operation, -> the function that computes its gradient, and counts as called with it.
    """
    found: dict[str, None] = {}
    seen: set[str] = set()
    pending = deque(names(nodes))
    while pending:
        name = pending.popleft()
        if name in seen:
            continue
        seen.add(name)
        pending.extend([gradients[name]] if name in gradients else [])
        if name in functions:
            found[name] = None
            pending.extend(called_by(functions[name], names))
    return list(found)
