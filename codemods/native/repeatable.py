"""Refuses statements that cannot move into a function: what they do would happen at each call, or not when it did."""

from __future__ import annotations

import ast

from codemods.native.kinds import v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import mutates, uses
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_DRAWN = ("numpy.random.", "random.")
_CHANGING = frozenset(
    (
        "next", "input", "pop", "next_batch", "rand", "randn", "randint", "permutation", "choice", "standard_normal",
        "random_sample", "time", "uniform", "normal",
    )
)  # fmt: skip
"""Calls of Python code that give another value each time."""


def require_pure(node: ast.stmt, meanings: Meanings) -> None:
    """Refuses a statement that would move into a function, and does more than build a graph, such as print.

    Raises:
        NotNativeError: It calls something for its effect.
    """
    functions = [meanings.functions[name] for name in _called(node, meanings, set())]
    for part in (node, *functions):
        _require_repeatable(part, meanings)
    for below in walk(node):
        if not isinstance(below, ast.Expr) or isinstance(below.value, ast.Constant) or mutates(below):
            continue
        if isinstance(below.value, ast.Call) and v1_name(meanings.names, below.value.func) is not None:
            continue
        reading = ast.unparse(below.value)[:60]
        raise NotNativeError(
            below, "NAT003", f"{reading} reads what becomes part of a function; remove it, or fetch the value"
        )


def _called(node: ast.AST, meanings: Meanings, seen: set[str]) -> set[str]:
    """Returns the functions of the program that a statement calls, directly or not."""
    for place, _ in uses(node):
        if place in meanings.functions and place not in seen:
            seen.add(place)
            _called(meanings.functions[place], meanings, seen)
    return seen


def _require_repeatable(node: ast.AST, meanings: Meanings) -> None:
    """Refuses Python code that gives another value at each call: in a function it would be computed anew.

    Raises:
        NotNativeError: There is such code.
    """
    for call in (below for below in walk(node) if isinstance(below, ast.Call)):
        qualified = meanings.names.qualified(call.func) or ast.unparse(call.func)
        if v1_name(meanings.names, call.func) is not None:
            continue
        if qualified.startswith(_DRAWN) or qualified.rpartition(".")[2] in _CHANGING:
            shown = ast.unparse(call)[:60]
            message = f"{shown} gives another value at each call, and would be called again by each function"
            raise NotNativeError(call, "NAT006", f"{message}; compute it in a statement of its own, before the graph")
