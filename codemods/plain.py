"""Calls that compute the same under TensorFlow 2's own name, with v2 behavior off: they need no tf.compat.v1.

The data are measured: fixtures/plain_calls.py built the nodes of both, under every release of `tf2bridge.v1.enable`.
"""

from __future__ import annotations

import ast

from codemods.calls import is_plain
from codemods.context import Context
from codemods.reordered import is_reordered
from codemods.rules.arguments.order import plans
from codemods.symbols import TODAY, Answer, Symbol, signature, table


def needs_no_compat(node: ast.expr, symbol: Symbol, context: Context) -> bool:
    """Whether this calls a function that, given these arguments, builds the nodes that the one of tf.compat.v1 does."""
    if symbol.answer is not Answer.COMPAT or symbol.target != symbol.name:
        return False
    call = context.parent(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return False
    return builds_the_same(call, symbol.name) and not _is_rewritten(call, symbol, context)


def builds_the_same(call: ast.Call, name: str) -> bool:
    """Whether these arguments are such that tf.NAME was measured to build the nodes of tf.compat.v1.NAME."""
    row = table("plain").get(name)
    if row is None or not is_plain(call):
        return False
    words = row["words"].split()
    fits = len(call.args) <= int(row["places"]) and all(keyword.arg in words for keyword in call.keywords)
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return fits and ("texts" not in row or all(is_text(argument) for argument in given))


def _is_rewritten(call: ast.Call, symbol: Symbol, context: Context) -> bool:
    """Whether arguments of the call get keywords, which have to be those of tf.compat.v1."""
    if call.args and is_reordered(symbol.name):
        return True
    differs = signature(symbol.name, TODAY) is not None
    return differs and any(made.changes for made in plans(call, symbol, context))


def is_text(node: ast.expr) -> bool:
    """Whether an expression is seen to be a text: "a", f"{a}", "a%d" % i, "a{}".format(i), "a" + b."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
        return is_text(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return is_text(node.func.value)
    return isinstance(node, ast.JoinedStr)
