"""What a module binds to a name that nothing stands for: its use fails then, not the import of the file."""

from __future__ import annotations

import ast

from codemods.context import Context
from codemods.rule import Hit, Safety

BRIDGE = "import tf2bridge.v1"


def stand_in(name: str) -> str:
    """The expression that raises an error when it is used, for a name without `tensorflow.`."""
    return f'tf2bridge.v1.unavailable("{name}")'


def in_assignment(node: ast.expr, name: str, context: Context) -> Hit | None:
    """The hit that makes `tfb = tf.contrib.distributions.bijectors` a stand-in; None where the node is no such value.

    Only what runs with the import of the file is meant: in a function, the name fails where it is used already.
    """
    statement = context.parent(node)
    if not isinstance(statement, ast.Assign) or statement.value is not node:
        return None
    if not isinstance(context.parent(statement), ast.Module):
        return None
    message = f"nothing replaces {name}: now the use fails, not the import of this file"
    return Hit(node, message, Safety.SAFE, rewrite=stand_in(name), imports=(BRIDGE,), alone=True)
