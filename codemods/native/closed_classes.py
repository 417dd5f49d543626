"""Classes of which other code reads no tensors: it makes their objects, and calls their methods."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.names import Names
from codemods.native.graph_attributes import attributes_of_graph
from codemods.native.kinds import v1_name
from codemods.tree import walk

_NAMES = (ast.Name, ast.Attribute)
_BY_NAME = ("getattr", "setattr", "vars", "hasattr")


def uses_of(owner: ast.ClassDef, tree: ast.Module) -> list[ast.Name]:
    """Returns where a class is named."""
    return [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]


def is_closed(owner: ast.ClassDef, tree: ast.Module, names: Names, others: Sequence[ast.ClassDef] = ()) -> bool:
    """Returns whether other code reads none of the attributes of a class, but those that are Python values.

    Args:
        owner: The class.
        tree: The file.
        names: The meanings of its names.
        others: Classes that may have attributes of the same names themselves.
    """
    inside = {id(below) for below in walk(owner)}
    apart = {id(below) for other in others for below in walk(other)}
    if any(ast.unparse(node).endswith(("setattr", "__dict__")) for node in walk(owner) if isinstance(node, _NAMES)):
        return False  # the source does not say what it sets
    attributes = attributes_of_graph(owner, names)
    for node in walk(tree):
        if id(node) in inside:
            continue
        if isinstance(node, ast.Attribute) and node.attr in attributes:
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if not (own and id(node) in apart):
                return False
        if (
            isinstance(node, ast.Name)
            and node.id in _BY_NAME
            and not _asks_for_other(names.parents.get(node), attributes)
        ):
            return False
    return True


def _asks_for_other(call: ast.AST | None, attributes: set[str]) -> bool:
    """Returns whether a call such as `hasattr(self, "rows")` names an attribute that is none of these."""
    name = call.args[1] if isinstance(call, ast.Call) and len(call.args) > 1 else None
    return isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value not in attributes


def has_plain_bases(owner: ast.ClassDef, tree: ast.Module, names: Names) -> bool:
    """Returns whether a class has no bases, or classes of the file that know nothing of TensorFlow and make nothing."""
    if owner.decorator_list or owner.keywords:
        return False
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for base in owner.bases:
        if isinstance(base, ast.Name) and base.id == "object":
            continue
        made = known.get(base.id) if isinstance(base, ast.Name) else None
        if made is None or made is owner or not has_plain_bases(made, tree, names):
            return False
        if any(isinstance(node, ast.FunctionDef) and node.name.startswith("__") for node in made.body):
            return False
        read = (node for node in walk(made) if isinstance(node, (ast.Name, ast.Attribute)))
        if any(v1_name(names, node) is not None for node in read):
            return False
    return True
