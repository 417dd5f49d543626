"""Calls of tf.Variable, and functions of the program that make one variable at each call."""

from __future__ import annotations

import ast

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.tree import walk

_BEFORE_NAME = 5
"""How many parameters of tf.Variable stand before `name`."""


def makes_plain(call: ast.Call, names: Names) -> bool:
    """Returns whether a call makes a variable by tf.Variable, with a name that stands in it or with none."""
    if v1_name(names, call.func) != "Variable" or len(call.args) > _BEFORE_NAME:
        return False
    return all(keyword.arg is not None for keyword in call.keywords) and given_name(call, names) is not None


def given_name(call: ast.Call, names: Names) -> str | None:
    """Returns the name that a call gives as a text; "Variable" for a variable without one; else None."""
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "name"), None)
    if given is None:
        return "Variable" if v1_name(names, call.func) == "Variable" else None
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def called(call: ast.Call) -> str:
    """Returns the name of what is called; "" if it has none."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def made_by(maker: ast.FunctionDef, names: Names) -> ast.Call:
    """Returns the call in a function that makes its variable."""
    return next(node for node in walk(maker) if isinstance(node, ast.Call) and makes_plain(node, names))


def is_maker(function: ast.FunctionDef, names: Names, loops: tuple[type[ast.AST], ...]) -> bool:
    """Returns whether a function makes one variable at each call, and can get a parameter `name`."""
    below = list(walk(function))
    made = [node for node in below if isinstance(node, ast.Call) and makes_plain(node, names)]
    looped = {id(inner) for node in below if isinstance(node, (*loops, ast.If)) for inner in walk(node)}
    taken = any(
        (isinstance(n, ast.Name) and n.id == "name") or (isinstance(n, ast.arg) and n.arg == "name") for n in below
    )
    arguments = function.args
    plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs)
    return len(made) == 1 and id(made[0]) not in looped and plain and not taken and bool(arguments.args)
