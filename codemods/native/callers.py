"""The functions of a program that reach others by their calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Set

from codemods.tree import walk


def with_callers(tree: ast.Module, reached: Set[str], called: Callable[[ast.Call], str | None]) -> set[str]:
    """Returns the names of some functions of a file, and of all that call one of them, by others too.

    Args:
        tree: The file.
        reached: The names of the functions.
        called: Gives the name of the function that a call calls; None, or "", for other calls.
    """
    functions = [node for node in walk(tree) if isinstance(node, ast.FunctionDef)]
    calls = {node: {called(below) for below in walk(node) if isinstance(below, ast.Call)} for node in functions}
    known = set(reached)
    while more := {node.name for node in functions if calls[node] & known} - known:
        known |= more
    return known
