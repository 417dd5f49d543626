"""Places where a program provides for several releases: they tell nothing of the one that it was written for."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from codemods.names import Names

_ALWAYS = ("AttributeError", "Exception")
_QUESTIONS = ("dir", "hasattr")
_VERSIONS = frozenset(f"tensorflow.{name}" for name in ("__version__", "VERSION"))
_tried: WeakKeyDictionary[Names, frozenset[ast.AST]] = WeakKeyDictionary()
_either: WeakKeyDictionary[Names, frozenset[ast.AST]] = WeakKeyDictionary()


def tried(names: Names) -> frozenset[ast.AST]:
    """Returns the nodes inside `try: a = tf.x`, `except AttributeError: a = tf.y`, where y replaces a missing x."""
    if names not in _tried:
        _tried[names] = frozenset(
            inner for block in _choices(names) for statement in block.body for inner in ast.walk(statement)
        )
    return _tried[names]


def either(names: Names) -> frozenset[ast.AST]:
    """Returns the nodes inside such a `try`, or inside an `if` that checks the release or a name."""
    if names not in _either:
        asking = [node for node in names.nodes.get(ast.If, []) if isinstance(node, ast.If) and _asks(node.test, names)]
        _either[names] = frozenset(inner for block in (*_choices(names), *asking) for inner in ast.walk(block))
    return _either[names]


def _choices(names: Names) -> list[ast.Try]:
    return [node for node in names.nodes.get(ast.Try, []) if isinstance(node, ast.Try) and _chooses(node)]


def _chooses(block: ast.Try) -> bool:
    statements = [*block.body, *(statement for handler in block.handlers for statement in handler.body)]
    imports = all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in block.body)
    caught = (*_ALWAYS, "ImportError") if imports else _ALWAYS
    binds = all(isinstance(statement, ast.Assign | ast.Import | ast.ImportFrom) for statement in statements)
    return binds and any(_catches(handler, caught) for handler in block.handlers)


def _catches(handler: ast.ExceptHandler, caught: tuple[str, ...]) -> bool:
    return handler.type is None or any(word in ast.unparse(handler.type) for word in caught)


def _asks(test: ast.expr, names: Names) -> bool:
    """Returns whether a condition reads TensorFlow's version, `dir(tf)` or `hasattr(tf, "x")`."""
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and names.qualified(node) in _VERSIONS:
            return True
        asked = node.args[:1] if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _QUESTIONS else []
        if any((names.qualified(part) or "").split(".")[0] == "tensorflow" for part in asked):
            return True
    return False
