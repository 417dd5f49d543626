"""Sequences that give the same elements each time: a list, and no generator that a first loop has used up."""

from __future__ import annotations

import ast

from codemods.native.places import bound_pairs, place_of
from codemods.tree import walk

_OF_NUMBERS = frozenset(("range",))
_OF_SEQUENCES = frozenset(("enumerate", "zip", "reversed"))
_MAKERS = frozenset(("list", "tuple", "sorted", "range"))


def is_repeatable(node: ast.expr, tree: ast.Module) -> bool:
    """Returns whether a loop over an expression has the same elements a second time."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(isinstance(part, ast.Constant) for part in node.elts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if _is_bound(node.func.id, tree):
            return False
        if node.func.id in _OF_NUMBERS:
            return all(_is_fixed(part) for part in node.args)
        return node.func.id in _OF_SEQUENCES and bool(node.args) and all(is_repeatable(p, tree) for p in node.args)
    return place_of(node) is not None and (_is_measured(node, tree) or _is_listed(node, tree))


def _is_fixed(node: ast.expr) -> bool:
    """Returns whether an expression calls nothing but `len`."""
    return all(place_of(call.func) == "len" for call in walk(node) if isinstance(call, ast.Call))


def _is_bound(name: str, tree: ast.Module) -> bool:
    stored = (node.id for node in walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    return name in stored or any(isinstance(n, ast.FunctionDef) and n.name == name for n in walk(tree))


def _is_measured(node: ast.expr, tree: ast.Module) -> bool:
    """Returns whether the program takes the length of a place, or a part of it: generators have none."""
    place = place_of(node)
    below = list(walk(tree))
    measured = [n.args[0] for n in below if isinstance(n, ast.Call) and place_of(n.func) == "len" and n.args]
    measured += [n.value for n in below if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)]
    return any(place_of(part) == place for part in measured)


def _is_listed(node: ast.expr, tree: ast.Module) -> bool:
    """Returns whether all that a place is bound to are lists."""
    place = place_of(node)
    if any(isinstance(below, ast.arg) and below.arg == place for below in walk(tree)):
        return False
    values: list[ast.expr] = []
    stores = 0
    for below in walk(tree):
        stores += place_of(below) == place and isinstance(getattr(below, "ctx", None), ast.Store)
        if isinstance(below, ast.Assign):
            pairs = [pair for target in below.targets for pair in bound_pairs(target, below.value)]
            values += [value for part, value in pairs if place_of(part) == place]
    return bool(values) and len(values) == stores and all(_is_list(value) for value in values)


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, (ast.List, ast.Tuple, ast.ListComp)):
        return True
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKERS
