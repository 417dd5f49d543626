"""Functions of TensorFlow 2 that compute the same as those of tf.compat.v1 with v2 behavior off.

The data are measured: fixtures/plain_calls.py built the nodes of both, under every release of `tf2bridge.v1.enable`.
"""

from __future__ import annotations

import ast

from codemods.calls import is_plain
from codemods.context import Context
from codemods.reordered import is_reordered
from codemods.rules.arguments.argument_order import plans
from codemods.symbols import TODAY, Answer, Symbol, signature, table
from codemods.symbols.exports import binds


def needs_no_compat(node: ast.expr, symbol: Symbol, context: Context) -> bool:
    """Returns whether this is, or calls, a function that builds the same nodes as the one of tf.compat.v1."""
    if symbol.answer is not Answer.COMPAT or symbol.target != symbol.name:
        return False
    call = context.parent(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        read = isinstance(getattr(node, "ctx", None), ast.Load) and not isinstance(call, ast.Attribute)
        return read and is_the_same(symbol.name)
    return builds_the_same(call, symbol.name) and not _is_rewritten(call, symbol, context)


def is_the_same(name: str) -> bool:
    """Returns whether tf.NAME builds the nodes of tf.compat.v1.NAME in every measured way of calling it.

    Such a function may be a value, too: `activation=tf.nn.tanh`.
    """
    return "value" in table("plain").get(name, {})


def builds_the_same(call: ast.Call, name: str) -> bool:
    """Returns whether tf.NAME with such arguments was measured to build the nodes of tf.compat.v1.NAME."""
    row = table("plain").get(name)
    if row is None or not is_plain(call):
        return False
    places, words = int(row["places"]), row["words"].split()
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    fits = len(call.args) <= places and all(keyword.arg in words for keyword in call.keywords)
    texts = "texts" not in row or all(is_text(argument) for argument in given)
    return fits and texts and _has_all_needed(call, name)


def _has_all_needed(call: ast.Call, name: str) -> bool:
    """Returns whether a call has the required arguments of TensorFlow 2.

    tf.compat.v1 may report missing ones differently.
    """
    keywords = [keyword.arg for keyword in call.keywords if keyword.arg]
    return binds(table("today")[name]["takes"], len(call.args), keywords) is None


def _is_rewritten(call: ast.Call, symbol: Symbol, context: Context) -> bool:
    """Returns whether arguments of the call get keywords, which must be those of tf.compat.v1."""
    if call.args and is_reordered(symbol.name):
        return True
    differs = signature(symbol.name, TODAY) is not None
    return differs and any(made.changes for made in plans(call, symbol, context))


def is_text(node: ast.expr) -> bool:
    """Returns whether an expression is surely a text.

    Examples: "a", f"{a}", "a%d" % i, "a{}".format(i), "a" + b, "a" if b else "c".
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
        return is_text(node.left)
    if isinstance(node, ast.IfExp):
        return is_text(node.body) and is_text(node.orelse)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return is_text(node.func.value)
    return isinstance(node, ast.JoinedStr)
