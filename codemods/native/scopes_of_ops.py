"""Scopes of variables with a computed name that have no other variables than those of tf.Variable, and tf.op_scope.

A scope of operations begins the names of these variables too (`variables.py` of 1.15.5), and its name may be computed.
"""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.callers import with_callers
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.places import last_name
from codemods.native.recurrent import cell_class, function_of
from codemods.native.source_text import SourceText
from codemods.tree import walk


def with_scopes_of_ops(text: str) -> str:
    """Returns a text with `tf.name_scope` in place of these scopes. No line moves."""
    if "variable_scope" not in text and "op_scope" not in text:
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    making = _making(tree, names)
    for block in names.nodes.get(ast.With, []):
        assert isinstance(block, ast.With)
        for item in block.items:
            call = item.context_expr
            if not isinstance(call, ast.Call) or call.keywords:
                continue
            name = v1_name(names, call.func)
            if name == "op_scope" and 1 < len(call.args) < 4:
                parts = " or ".join(source.plain(part) for part in call.args[1:])
                source.replace(source.span(call), f"{v1_alias(names)}.name_scope({parts})")
            elif name == "variable_scope" and item.optional_vars is None and _is_of_ops(block, call, names, making):
                source.replace(source.span(call.func), f"{v1_alias(names)}.name_scope")
    return source.result()


def _is_of_ops(block: ast.With, call: ast.Call, names: Names, making: set[str]) -> bool:
    """Returns whether a scope has a computed name, and begins the names of variables of tf.Variable alone."""
    if len(call.args) != 1 or isinstance(call.args[0], ast.Constant):
        return False
    inside = [node for statement in block.body for node in walk(statement) if isinstance(node, ast.Call)]
    plain = any(v1_name(names, node.func) == "Variable" for node in inside)
    return plain and not any(_makes_scoped(node, names) or last_name(node.func) in making for node in inside)


def _makes_scoped(node: ast.Call, names: Names) -> bool:
    """Returns whether a call makes variables that a scope of operations does not name, or asks for the scope."""
    name = v1_name(names, node.func) or ""
    known = name in ("get_variable", "get_variable_scope", "make_template") or name in LAYERS
    return known or cell_class(name) is not None or bool(function_of(name))


def _making(tree: ast.Module, names: Names) -> set[str]:
    """Returns the functions of the program that make such variables, by themselves or by others."""
    functions = (node for node in walk(tree) if isinstance(node, ast.FunctionDef))
    calls = ((f, node) for f in functions for node in walk(f) if isinstance(node, ast.Call))
    making = {f.name for f, node in calls if _makes_scoped(node, names)}
    return with_callers(tree, making, lambda call: last_name(call.func))
