"""Finds the names of TensorFlow that a module needs during its import: base classes, decorators, constants.

A `try` or `if` at the left margin may have a branch for TensorFlow 2, so names in it are not needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_GUARDS = (ast.Try, ast.If, ast.With, ast.While, ast.IfExp, ast.BoolOp)
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def names_needed(text: str) -> frozenset[str]:
    """Returns the names below `tensorflow` that the import needs; none for a text with a syntax error.

    `import tensorflow as tf` and `class Hook(tf.estimator.SessionRunHook)` give "estimator".
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    aliases = frozenset(_aliases(tree))
    imported = {alias.name for node in tree.body for alias in _from_tensorflow(node)}
    return frozenset(imported).union(
        node.attr
        for node in _evaluated(tree.body)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases
    )


def _aliases(tree: ast.Module) -> Iterator[str]:
    """Yields the names of TensorFlow itself in the module, if only one statement gives them."""
    given = [
        alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    ]
    given += [a.asname or a.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for a in node.names]
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.Import) else ():
            name = alias.asname or alias.name
            if alias.name == "tensorflow" and given.count(name) == 1:
                yield name


def _from_tensorflow(node: ast.stmt) -> list[ast.alias]:
    if isinstance(node, ast.ImportFrom) and node.module == "tensorflow" and node.level == 0:
        return node.names
    return []


def _evaluated(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yields every node that an import evaluates in any case; not the insides of functions, but their decorators."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _GUARDS):
            continue
        yield node
        if isinstance(node, _LATER):
            defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
            waiting += [*defaults, *getattr(node, "decorator_list", [])]
        else:
            waiting.extend(ast.iter_child_nodes(node))
