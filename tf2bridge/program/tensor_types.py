"""`type(x) == tf.Tensor`, which TensorFlow 2 made false: its graphs hold tensors of a subclass."""

from __future__ import annotations

import ast
import sys
from typing import Any

TYPE_OF = "__tensorflow1_type__"
"""The name that the changed files find among their builtins."""


_SYMBOLIC = ("SymbolicTensor", "Tensor")
"""The name of the subclass, and the one that it has since `enable` gave it the words of 1.x."""


def type_of(value: Any) -> type:
    """As `type(value)`; `tf.Tensor` for each tensor of a graph."""
    found = type(value)
    if found.__name__ not in _SYMBOLIC:
        return found
    tensor = getattr(sys.modules.get("tensorflow.python.framework.tensor"), "Tensor", found)
    return tensor if issubclass(found, tensor) else found


def with_old_types(tree: ast.Module) -> ast.Module:
    """Returns `tree` with `type_of` in place of `type` where it is asked for a type, unless the file has another."""
    if not any(_asks(node) for node in ast.walk(tree)) or any(_names_type(node) for node in ast.walk(tree)):
        return tree
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _asks(node):
            node.func = ast.copy_location(ast.Name(TYPE_OF, ast.Load()), node.func)
    return tree


def _asks(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "type":
        return False
    return len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred)


def _names_type(node: ast.AST) -> bool:
    """Whether the file gives the name `type` to something of its own."""
    if isinstance(node, ast.arg):
        return node.arg == "type"
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name == "type"
    if isinstance(node, ast.alias):
        return (node.asname or node.name) == "type"
    return isinstance(node, ast.Name) and node.id == "type" and isinstance(node.ctx, ast.Store)
