"""Whether two calls of a program can both run, and whether one runs again."""

from __future__ import annotations

import ast

from codemods.names import Names
from codemods.native.kinds import is_reset
from codemods.tree import walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.Try)
_BLOCKS = ("body", "orelse", "finalbody")


def are_apart(one: ast.AST, other: ast.AST, names: Names) -> bool:
    """Returns whether only one of two calls runs, or a new graph begins between them."""
    above = [one, *names.above(one)]
    met = next((node for node in [other, *names.above(other)] if any(node is a for a in above)), None)
    if met is None:
        return False
    first, second = (_below(node, met, names) for node in (one, other))
    for name in _BLOCKS:
        block = getattr(met, name, None)
        if not isinstance(block, list) or (first in block) is (second in block) is False:
            continue
        if first in block and second in block:
            low, high = sorted((block.index(first), block.index(second)))
            return any(is_reset(statement, names) for statement in block[low + 1 : high])
        return isinstance(met, ast.If)
    return False


def _below(node: ast.AST, above: ast.AST, names: Names) -> ast.AST:
    while node is not above and names.parents.get(node) is not above:
        node = names.parents[node]
    return node


def runs_again(call: ast.Call, tree: ast.Module, names: Names) -> bool:
    """Returns whether a call may run several times: in a loop, or in a function with several calls."""
    for node in names.above(call):
        if isinstance(node, (*_LOOPS, ast.ClassDef, ast.Lambda)):
            return True
        if isinstance(node, ast.FunctionDef):
            uses = [n for n in walk(tree) if isinstance(n, ast.Name) and n.id == node.name]
            above = [names.parents.get(use) for use in uses]
            outer = [a for a in above if isinstance(a, ast.Call)]
            return len(uses) > 1 or any(runs_again(use, tree, names) for use in outer)
    return False
