"""Makes `type(x) == tf.Tensor` true as in TensorFlow 1.x. In TensorFlow 2, tensors of graphs have a subclass."""

from __future__ import annotations

import ast
import sys
from typing import Any

TYPE_OF = "__tensorflow1_type__"
"""The name of `type_of` among the builtins of the changed files."""


_SYMBOLIC = ("SymbolicTensor", "Tensor")
"""The name of the subclass, and the name of 1.x that `enable` gives it."""


def type_of(value: Any) -> type:
    """Returns `type(value)`, but `tf.Tensor` for every tensor of a graph."""
    kind = type(value)
    if kind.__name__ not in _SYMBOLIC:
        return kind
    tensor = getattr(sys.modules.get("tensorflow.python.framework.tensor"), "Tensor", kind)
    return tensor if issubclass(kind, tensor) else kind


def with_old_types(tree: ast.Module) -> ast.Module:
    """Returns `tree` with calls `type(x)` replaced by `type_of(x)`, unless the file binds the name `type` itself."""
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
    """Returns whether the node binds the name `type`."""
    if isinstance(node, ast.arg):
        return node.arg == "type"
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name == "type"
    if isinstance(node, ast.alias):
        return (node.asname or node.name) == "type"
    return isinstance(node, ast.Name) and node.id == "type" and isinstance(node.ctx, ast.Store)
