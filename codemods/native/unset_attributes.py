"""Attributes that nothing sets: a method that reads one fails in TensorFlow 1, and fails in the same way afterwards."""

from __future__ import annotations

import ast

from codemods.names import Names
from codemods.native.places import place_of
from codemods.tree import walk

_SETTING = frozenset(("setattr", "getattr", "vars", "exec", "eval", "__dict__", "__getattr__", "__getattribute__"))


def is_unset(node: ast.expr, tree: ast.Module, names: Names) -> bool:
    """Returns whether an expression is an attribute `self.x` of a class without bases that nothing in the file sets."""
    if not isinstance(node, ast.Attribute) or not (place_of(node) or "").startswith("self."):
        return False
    owner: ast.AST = node
    while not isinstance(owner, (ast.ClassDef, ast.Module)):
        owner = names.parents[owner]
    if not isinstance(owner, ast.ClassDef) or any(ast.unparse(base) != "object" for base in owner.bases):
        return False
    if owner.keywords or owner.decorator_list:
        return False
    for below in walk(tree):
        if isinstance(below, ast.Attribute) and below.attr == node.attr and not isinstance(below.ctx, ast.Load):
            return False
        if isinstance(below, ast.Name) and (below.id in _SETTING or _binds(below, node.attr)):
            return False
        if isinstance(below, ast.Attribute) and below.attr in _SETTING:
            return False
        if isinstance(below, (ast.FunctionDef, ast.ClassDef)) and below.name in {node.attr, *_SETTING}:
            return False
    return True


def _binds(node: ast.Name, name: str) -> bool:
    return node.id == name and not isinstance(node.ctx, ast.Load)
