"""The names of variables: those of TensorFlow 1, by which old checkpoints know them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.names import Names
from codemods.native.items import Body
from codemods.native.kinds import v1_name
from codemods.native.layers import scope_name
from codemods.native.refusals import NotNativeError


def makes_plain_variables(block: ast.With, body: Body, names: Names) -> bool:
    """Returns whether tf.Variable is called in a scope, which then has to stay: it begins the variable's name."""
    inside = (item for item in body.items if block in item.blocks)
    return any(v1_name(names, call.func) == "Variable" for item in inside for call in item.effects.variables)


def makes_named_variables(block: ast.With, body: Body, names: Names) -> bool:
    """Returns whether tf.get_variable is called in a block."""
    inside = (item for item in body.items if block in item.blocks)
    return any(v1_name(names, call.func) == "get_variable" for item in inside for call in item.effects.variables)


def is_name_scope(context: ast.expr, names: Names) -> bool:
    """Returns whether a context is a tf.name_scope, which begins the names of tf.Variable and of no others."""
    return isinstance(context, ast.Call) and v1_name(names, context.func) == "name_scope"


def require_own_name(call: ast.Call, kept: Sequence[ast.With], names: Names) -> None:
    """Refuses a get_variable in a tf.name_scope that stays.

    Raises:
        NotNativeError: It is one.
    """
    contexts = (item.context_expr for block in kept for item in block.items)
    if v1_name(names, call.func) == "get_variable" and any(is_name_scope(context, names) for context in contexts):
        message = "tf.name_scope would become part of the name of this variable, beside that of a tf.Variable"
        raise NotNativeError(call, "NAT005", f"{message}; make the tf.Variable outside the block")


def prefix_of(prefix: str, kept: Sequence[ast.With], names: Names) -> str:
    """Returns what the name of get_variable begins with inside the scopes that stay."""
    outer = "".join(f"{_scope(block, names)}/" for block in kept if _scope(block, names))
    return prefix.removeprefix(outer)


def _scope(block: ast.With, names: Names) -> str:
    scopes = (scope_name(item.context_expr, names) for item in block.items)
    return "/".join(scope for scope in scopes if scope)
