"""Finds the functions of a graph, and those that its nodes call."""

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
"""nodes -> the names of the operations and functions that they run, in the order of the nodes."""


def functions_of(library: Any) -> dict[str, Any]:
    """Returns name -> FunctionDef, for a FunctionDefLibrary."""
    return {function.signature.name: function for function in library.function}


def functions_in(values: Iterable[Any]) -> Iterator[Any]:
    """Yields the functions that values of attributes name, as NameAttrLists, and those in their own attributes."""
    pending = list(values)
    while pending:
        value = pending.pop()
        kind = value.WhichOneof("value")
        for function in [value.func] if kind == "func" else value.list.func if kind == "list" else ():
            yield function
            if function.attr:
                pending.extend(function.attr.values())


def functions_named_by(node: Any) -> list[Any]:
    """Returns the functions that the attributes of a node name, as NameAttrLists. Nearly all nodes have none."""
    functions: list[Any] = []
    attributes = node.attr
    for key in attributes:  # `values()` takes twice as long
        value = attributes[key]
        kind = value.WhichOneof("value")
        if kind == "func" or (kind == "list" and value.list.func):
            functions.extend(functions_in([value]))
    return functions


def called(node: Any) -> set[str]:
    """Returns the names of what a node runs: its operation, and the functions that its attributes name."""
    return {node.op, *(function.name for function in functions_named_by(node))}


def run_by(nodes: Iterable[Any]) -> list[str]:
    """Returns the names of the operations and functions that nodes run."""
    return [name for node in nodes for name in called(node)]


def called_by(function: Any, names: Names = run_by) -> set[str]:
    """Returns the names of what a function runs. `names` returns those of what nodes run."""
    return defaults(function).union(names(function.node_def))


def defaults(function: Any) -> set[str]:
    """Returns the names of the functions that are default values of a function's attributes."""
    return {
        function_name.name for function_name in functions_in(attr.default_value for attr in function.signature.attr)
    }


def all_called(
    nodes: Iterable[Any],
    functions: Mapping[str, Any],
    gradients: Mapping[str, str] = _NONE,
    names: Names = run_by,
) -> list[str]:
    """Returns the names of the functions that nodes call, directly or indirectly, in the order of the calls.

    Args:
        nodes: the nodes.
        functions: name -> function.
        gradients: name of a function or operation -> the function of its gradient, which counts as called with it.
        names: returns the names of what nodes run.
    """
    reached: dict[str, None] = {}
    seen: set[str] = set()
    pending = deque(names(nodes))
    while pending:
        name = pending.popleft()
        if name in seen:
            continue
        seen.add(name)
        pending.extend([gradients[name]] if name in gradients else [])
        if name in functions:
            reached[name] = None
            pending.extend(called_by(functions[name], names))
    return list(reached)
