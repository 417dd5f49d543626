"""Functions of a program that give the feeds of a call: `sess.run(loss, feed_dict=feeds_of(batch))`."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native.places import place_of
from codemods.tree import walk

_RUNS = frozenset(("run", "eval"))


def dict_of(call: ast.Call, tree: ast.Module, parents: Mapping[ast.AST, ast.AST]) -> ast.Dict | None:
    """Returns the dict that a call of a function of the program gives, if all its calls give feeds and nothing else.

    Args:
        call: The call.
        tree: The program.
        parents: Node -> the node that holds it.
    """
    name = call.func.id if isinstance(call.func, ast.Name) else None
    made = [node for node in walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(made) != 1 or made[0].decorator_list or isinstance(parents.get(made[0]), ast.ClassDef):
        return None
    function = made[0]
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == name]
    below = list(walk(function))
    inner = [node for node in below if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom))]
    if inner != [function] or not all(_gives_feeds(use, parents) for use in uses):
        return None
    returned = [node for node in below if isinstance(node, ast.Return)]
    if len(returned) != 1 or returned[0] is not function.body[-1]:
        return None
    value = returned[0].value
    given = _assigned(value, function) if isinstance(value, ast.Name) else value
    if not isinstance(given, ast.Dict):
        return None
    own = {node.arg for node in below if isinstance(node, ast.arg)}
    own |= {node.id for node in below if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    keys = [place_of(key) if key is not None else None for key in given.keys]
    return given if all(key is not None and key.split(".")[0] not in own for key in keys) else None


def _gives_feeds(use: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Returns whether a name is called, and the result is what a call of a session feeds."""
    call = parents.get(use)
    if not (isinstance(call, ast.Call) and call.func is use):
        return False
    holder = parents.get(call)
    run = parents.get(holder) if isinstance(holder, ast.keyword) and holder.arg == "feed_dict" else holder
    if not (isinstance(run, ast.Call) and isinstance(run.func, ast.Attribute) and run.func.attr in _RUNS):
        return False
    return run is not holder or run.args[-1] is call


def _assigned(name: ast.Name, function: ast.FunctionDef) -> ast.expr | None:
    """Returns the value of a name that one statement of a function binds, and only its end reads."""
    uses = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == name.id]
    made = [node for node in function.body if isinstance(node, ast.Assign) and place_of(node.targets[0]) == name.id]
    return made[0].value if len(uses) == 2 and len(made) == 1 and len(made[0].targets) == 1 else None
