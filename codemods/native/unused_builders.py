"""Leaves out functions that build parts of a graph and that nothing in the file uses, such as an older network."""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.native.builders import is_builder, only_makes
from codemods.native.edited_lines import EditedLines
from codemods.tree import walk


def without_unused_builders(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without such functions, and the old number of each line; None if there are none.

    A function that makes variables and nothing else stays, as it can be called. The lines above it stay.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    edited = EditedLines(text, tree)
    unused = [node for node in functions.values() if not _is_used(node, tree)]
    gone = [
        node
        for node in unused
        if not node.decorator_list and is_builder(node, names, functions) and not only_makes(node, names)
    ]
    for node in gone:
        edited.remove(node)
    return edited.result() if gone and edited.fits(gone) else None


def _is_used(function: ast.FunctionDef, tree: ast.Module) -> bool:
    """Returns whether anything outside a function has its name, even a text."""
    inside = {id(node) for node in walk(function)}
    for node in walk(tree):
        named = isinstance(node, ast.Name) and node.id == function.name
        named = named or (isinstance(node, ast.Attribute) and node.attr == function.name)
        named = named or (isinstance(node, ast.Constant) and node.value == function.name)
        if named and id(node) not in inside:
            return True
    return any(isinstance(n, ast.Name) and n.id in ("globals", "locals", "eval", "exec") for n in walk(tree))
