"""Placeholders for names without a replacement: their use fails, not the import of the file."""

from __future__ import annotations

import ast

from codemods.context import Context
from codemods.rule import Hit, Safety

BRIDGE = "import tf2bridge.v1"


def stand_in(name: str) -> str:
    """Returns an expression for the name, given without `tensorflow.`, whose value raises an error at its first use."""
    return f'tf2bridge.v1.unavailable("{name}")'


def in_assignment(node: ast.expr, name: str, context: Context) -> Hit | None:
    """Returns the hit that replaces the value of `tfb = tf.contrib.distributions.bijectors`, or None for other nodes.

    Only statements that run at the import of the file are replaced. In a function, the name already fails at its use.
    """
    statement = context.parent(node)
    if not isinstance(statement, ast.Assign) or statement.value is not node:
        return None
    if not isinstance(context.parent(statement), ast.Module):
        return None
    message = f"nothing replaces {name}: now the use fails, not the import of this file"
    return Hit(node, message, Safety.SAFE, rewrite=stand_in(name), imports=(BRIDGE,), alone=True)
