"""The flags of a function, which say whether its optimistic names (guards.py) are plain: code without their checks.

The first flag is int, or None where an optimistic name holds something else; the second is float or None.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from tf2bridge.program.nodes import FLOAT, all_of, assign, first_statement, load

FLAG, FLOAT_FLAG = "__numpy1_expected__", "__numpy1_expected_float__"
_FLAGS = (FLAG, FLOAT_FLAG)
_MOST_NODES = 300
"""The size of a function that has two versions."""
_UNIQUE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Global, ast.Nonlocal)
"""What stands in a function once: inner functions would double again, and a name is declared before it is used."""


def float_flag() -> ast.expr:
    """Returns the value of the second flag."""
    return ast.BoolOp(ast.And(), [load(FLAG), load(FLOAT)])


def set_float_flag() -> ast.stmt:
    """Returns the statement that sets the second flag."""
    return assign(FLOAT_FLAG, float_flag())


class _UnderFlag(ast.NodeTransformer):
    """Removes checks of the flag where it is known to be set."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:  # ast requires this name
        self.generic_visit(node)
        return node.body if _is_check(node.test) else node

    def visit_If(self, node: ast.If) -> Any:  # ast requires this name
        self.generic_visit(node)
        return node.body if _is_check(node.test) else node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:  # ast requires this name
        self.generic_visit(node)
        if isinstance(node.op, ast.And) and _is_check(node.values[0]):
            return all_of(node.values[1:])
        return node


def _is_check(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == FLAG


def under_flag(node: Any) -> Any:
    """Returns an expression or statement without checks of the flag, which is known to be set."""
    return _UnderFlag().visit(node)


def versions(body: list[ast.stmt], begin: list[ast.stmt], test: ast.expr) -> list[ast.stmt] | None:
    """Returns a visited body in two versions: without checks of the flag if `test` is true, else as it is.

    Returns None if the body is long, or if the first version could still change the flag. `begin` sets the flags.
    """
    place = first_statement(body)
    rest = body[place:]
    nodes = [node for statement in rest for node in ast.walk(statement)]
    if len(nodes) > _MOST_NODES or any(isinstance(node, _UNIQUE) for node in nodes):
        return None
    plain = [part for statement in copy.deepcopy(rest) for part in _as_list(under_flag(statement))]
    flags = [node for part in plain for node in ast.walk(part) if isinstance(node, ast.Name) and node.id in _FLAGS]
    if any(isinstance(node.ctx, ast.Store) for node in flags):
        return None
    unset = [assign(name, ast.Constant(None)) for name in _FLAGS[: len(begin)]]
    return [*body[:place], ast.If(test, [*(begin if flags else []), *plain], [*unset, *rest])]


def _as_list(node: Any) -> list[ast.stmt]:
    return node if isinstance(node, list) else [node]
