"""Makes generators of a program end if StopIteration leaves them, as up to Python 3.6 (PEP 479)."""

from __future__ import annotations

import ast
from typing import Any

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_ENDS = frozenset({"next", "StopIteration"})


def with_old_generators(tree: ast.Module) -> ast.Module:
    """Returns `tree` with generators that return if StopIteration leaves their body.

    Only generators whose own code has the names `next` or `StopIteration` are changed.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _is_ended(node):
            _wrap(node)
    return ast.fix_missing_locations(tree)


def _is_ended(function: ast.FunctionDef) -> bool:
    yields = ends = False
    waiting: list[Any] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _INNER):
            continue
        yields = yields or isinstance(node, ast.Yield | ast.YieldFrom)
        ends = ends or (isinstance(node, ast.Name) and node.id in _ENDS)
        ends = ends or (isinstance(node, ast.Attribute) and node.attr == "next")
        waiting.extend(ast.iter_child_nodes(node))
    return yields and ends


def _wrap(function: ast.FunctionDef) -> None:
    """Puts the body, without its docstring, into a `try` statement."""
    start = 0 if ast.get_docstring(function, clean=False) is None else 1
    body = function.body[start:]
    if not body:
        return
    ended = ast.ExceptHandler(ast.Name("StopIteration", ast.Load()), None, [ast.Return(None)])
    wrapped = ast.Try(body, [ended], [], [])
    ast.copy_location(wrapped, body[0])
    ast.copy_location(ended, body[-1])
    function.body[start:] = [wrapped]
