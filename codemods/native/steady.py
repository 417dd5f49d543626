"""Expressions that give the same at a later place, so that they may be written there."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cached_property

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import place_of, stores
from codemods.tree import walk

_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PLAIN = (
    ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Dict, ast.UnaryOp, ast.BinOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.Call, ast.keyword, ast.expr_context, ast.unaryop, ast.operator, ast.boolop, ast.cmpop,
)  # fmt: skip
_ENDS = ("_initializer", "_regularizer")
"""Ends of the names of functions of TensorFlow 1 whose results are as good as one another."""
_SETTING = frozenset(("setattr", "delattr", "exec", "globals", "locals", "vars"))
"""Functions that may bind any name."""


def value_of(node: ast.expr, names: Names) -> ast.expr:
    """Returns what a name holds, where one statement alone gives it a value; else the expression itself."""
    bindings = names.bindings(node) if isinstance(node, ast.Name) else []
    if not isinstance(node, ast.Name) or len(bindings) != 1:
        return node
    block = _block_of(node, names) if names.module.bindings.get(node.id) is not bindings else names.tree
    stored = [n for n in walk(block) if isinstance(n, ast.Name) and n.id == node.id and isinstance(n.ctx, ast.Store)]
    made = [names.parents[n] for n in stored if _block_of(n, names) is block]
    if len(made) == 1 and isinstance(made[0], ast.Assign) and isinstance(made[0].targets[0], ast.Name):
        return made[0].value if made[0].lineno < node.lineno else node
    return node


def _block_of(node: ast.AST, names: Names) -> ast.AST:
    """Returns the function that a node stands in, or the module."""
    return next((n for n in names.above(node) if isinstance(n, _BLOCKS)), names.tree)


class Steady:
    """Which names and attributes of a file get one value."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def is_steady(self, value: ast.expr) -> bool:
        """Returns whether an expression gives the same at every place of its function behind it."""
        below = list(ast.walk(value))
        return all(isinstance(node, _PLAIN) and self._is_kept(node) for node in below)

    def _is_kept(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return (v1_name(self._names, node.func) or "").endswith(_ENDS)
        if isinstance(node, ast.Attribute) and v1_name(self._names, node) is None:
            return self._attributes[node.attr] <= 1 and not self._is_open and place_of(node) not in self._changed
        if isinstance(node, ast.Name) and self._names.qualified(node) is None:
            return len(self._names.bindings(node)) <= 1 and not self._is_open and node.id not in self._changed
        return True

    @cached_property
    def _attributes(self) -> Counter[str]:
        """How often each attribute is bound."""
        nodes = (node for node in walk(self._names.tree) if isinstance(node, ast.Attribute))
        return Counter(node.attr for node in nodes if not isinstance(node.ctx, ast.Load))

    @cached_property
    def _changed(self) -> set[str]:
        """The places whose containers a statement changes, as `params['scale'] = True`."""
        changed: set[str] = set()
        for node in walk(self._names.tree):
            if isinstance(node, ast.stmt):
                own = {n.id for n in walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
                held = {
                    place_of(n) for n in walk(node) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
                }
                if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
                    changed |= stores(node) - own - held
        return changed

    @cached_property
    def _is_open(self) -> bool:
        """Whether the file may bind names that its source does not say."""
        return any(isinstance(node, ast.Name) and node.id in _SETTING for node in walk(self._names.tree))
