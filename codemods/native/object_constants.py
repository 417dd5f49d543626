"""The texts and numbers that the only object of a class holds: `self.name` after `Model(sess, "m1")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from codemods.native.places import named_arguments, place_of
from codemods.tree import walk

Constants = Mapping[str, str | int]


def attributes_of_objects(tree: ast.Module) -> dict[ast.AST, Constants]:
    """Returns the methods of each class that one call makes an object of -> attribute -> its only value.

    An attribute counts if `__init__` gives it to the object in a statement that is certain to run, and if nothing else
    in the file gives an attribute of this name to any object.
    """
    if any(isinstance(node, ast.Name) and node.id in ("setattr", "vars", "exec") for node in walk(tree)):
        return {}
    given: dict[ast.AST, Constants] = {}
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]
        calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.func in uses]
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        first = next((method for method in methods if method.name == "__init__"), None)
        if len(uses) == 1 and len(calls) == 1 and first is not None and not owner.decorator_list:
            constants = dict(_constants(first, calls[0], tree))
            given |= dict.fromkeys(methods, constants)
    return given


def _constants(first: ast.FunctionDef, call: ast.Call, tree: ast.Module) -> Iterator[tuple[str, str | int]]:
    parameters = _parameters(first, call)
    counts: dict[str, int] = {}
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            counts[node.attr] = counts.get(node.attr, 0) + 1
    for statement in first.body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, value = statement.targets[0], statement.value
        stated: object = value.value if isinstance(value, ast.Constant) else None
        if isinstance(value, ast.Name):
            stated = parameters.get(value.id)
        known = isinstance(stated, (str, int)) and not isinstance(stated, bool)
        if known and isinstance(target, ast.Attribute) and place_of(target) and counts[target.attr] == 1:
            assert isinstance(stated, (str, int))
            yield f"self.{target.attr}", stated


def _parameters(first: ast.FunctionDef, call: ast.Call) -> dict[str, object]:
    """Returns the parameters that have a constant, by the call or by default, and that nothing binds anew."""
    arguments = first.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs or arguments.kwonlyargs:
        return {}
    if any(isinstance(part, ast.Starred) for part in call.args):
        return {}
    listed = [argument.arg for argument in arguments.args]
    defaults = dict(zip(listed[len(listed) - len(arguments.defaults) :], arguments.defaults, strict=True))
    values = defaults | named_arguments(call, listed[1:])
    if "**" in values:
        return {}
    bound = {n.id for n in walk(first) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return {
        name: value.value for name, value in values.items() if isinstance(value, ast.Constant) and name not in bound
    }
