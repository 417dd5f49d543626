"""The functions of a graph, and which of them its nodes call."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

LOOPS = ("While", "StatelessWhile")
CHOICES = ("If", "StatelessIf")
"""Loops and conditions whose bodies are functions."""

_NONE: Mapping[str, str] = MappingProxyType({})


def functions_of(library: Any) -> dict[str, Any]:
    """Name -> FunctionDef, of a FunctionDefLibrary."""
    return {each.signature.name: each for each in library.function}


def called(node: Any) -> set[str]:
    """The names of what a node runs: its operation, and the functions that its attributes name."""
    found = {node.op}
    for value in node.attr.values():
        kind = value.WhichOneof("value")
        if kind == "func":
            found.add(value.func.name)
        elif kind == "list":
            found |= {each.name for each in value.list.func}
    return found


def all_called(nodes: Iterable[Any], functions: Mapping[str, Any], gradients: Mapping[str, str] = _NONE) -> list[str]:
    """The names of the functions that nodes call, directly or not, what is called first before the others.

    `gradients`: function -> the one that computes its gradient, and counts as called with it.
    """
    found: dict[str, None] = {}
    pending = deque(name for node in nodes for name in called(node)) if functions else deque()
    while pending:
        name = pending.popleft()
        if name in functions and name not in found:
            found[name] = None
            pending.extend(each for node in functions[name].node_def for each in called(node))
            pending.extend([gradients[name]] if name in gradients else [])
    return list(found)
