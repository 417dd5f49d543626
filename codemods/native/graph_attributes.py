"""Which attributes of an object may be parts of the graph, and which are Python values for certain."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import changed_by, place_of
from codemods.tree import walk

_Place = tuple[str, str]
"""The name of a method and one of its names, or "" and an attribute."""


def attributes_of_graph(owner: ast.ClassDef, names: Names) -> set[str]:
    """Returns the attributes that a class sets to what TensorFlow makes, or to what follows from that.

    What a session returns is a Python value. The parameters of methods count as Python values.
    """
    methods = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef)}
    makers = {name for name, method in methods.items() if _speaks_of_tensorflow(method, names)}
    known: set[_Place] = set()
    while True:
        more = {
            place
            for method in methods.values()
            for targets, value in _bindings(method)
            if _is_of_graph(value, method.name, known, makers, names)
            for place in _places(targets, method.name)
        } - known
        if not more:
            return {name for method, name in known if not method} - methods.keys()
        known |= more


def _speaks_of_tensorflow(node: ast.AST, names: Names) -> bool:
    return any(v1_name(names, n) is not None for n in walk(node) if isinstance(n, (ast.Name, ast.Attribute)))


def _bindings(method: ast.FunctionDef) -> Iterator[tuple[list[ast.AST], ast.AST]]:
    """Yields what the statements of a method bind or change, and the values."""
    for node in walk(method):
        if isinstance(node, ast.Assign):
            yield list(node.targets), node.value
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            yield [node.target], node.value
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            yield [node.target], node.iter
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield [node.optional_vars], node.context_expr
        elif isinstance(node, ast.NamedExpr):
            yield [node.target], node.value
        elif isinstance(node, ast.Expr) and changed_by(node) is not None and isinstance(node.value, ast.Call):
            function = node.value.func
            yield [function.value if isinstance(function, ast.Attribute) else function], node.value


def _places(targets: list[ast.AST], method: str) -> Iterator[_Place]:
    for node in (below for target in targets for below in walk(target)):
        place = place_of(node) or ""
        if place.startswith("self."):
            yield "", place.removeprefix("self.")
        elif place and place != "self":
            yield method, place


def _is_of_graph(value: ast.AST, method: str, known: set[_Place], makers: set[str], names: Names) -> bool:
    """Returns whether a value is made of parts of the graph, other than by a call of a session."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("run", "eval"):
        return False
    if isinstance(value, (ast.Name, ast.Attribute)) and v1_name(names, value) is not None:
        return True
    if any(place in known for place in _places([value], method) if isinstance(value, (ast.Name, ast.Attribute))):
        return True
    if isinstance(value, ast.Call) and (place_of(value.func) or "").removeprefix("self.") in makers:
        return True
    below = ast.iter_child_nodes(value)
    return any(_is_of_graph(child, method, known, makers, names) for child in below)
