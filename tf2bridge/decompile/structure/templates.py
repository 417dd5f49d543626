"""Finds classes that differ in numbers alone: their code is one class with arguments."""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import keras

from tf2bridge.decompile.names import Names


@dataclass(frozen=True)
class Template:
    """The statements of several constructors as one.

    Attributes:
        parameters: The names of the arguments.
        statements: The statements, with these names.
        arguments: For each constructor, the expressions of its arguments.
    """

    parameters: tuple[str, ...]
    statements: tuple[str, ...]
    arguments: tuple[tuple[str, ...], ...]


def skeleton(statements: Sequence[str]) -> str:
    """Returns the statements without the literals that are arguments of calls: equal ones have a template."""
    tree = ast.parse("\n".join(statements))
    for place in _places(tree, {}):
        place.clear()
    return ast.dump(tree)


def template(constructors: Sequence[Sequence[str]], classes: Mapping[str, Sequence[str]]) -> Template:
    """Returns the template of constructors with the same skeleton.

    Args:
        constructors: The statements of each constructor.
        classes: Class of the model -> the names of its arguments.
    """
    trees = [ast.parse("\n".join(statements)) for statements in constructors]
    names, parameters = Names(), {}
    for places in zip(*(_places(tree, classes) for tree in trees), strict=True):
        texts = tuple(ast.unparse(place.value) for place in places)
        if len(set(texts)) > 1:
            if texts not in parameters:
                parameters[texts] = names.new(places[0].name)
            places[0].put(ast.Name(parameters[texts]))
    statements = tuple(ast.unparse(statement) for statement in trees[0].body)
    arguments = tuple(zip(*parameters, strict=True)) or tuple(() for _ in constructors)
    return Template(tuple(parameters.values()), statements, arguments)


@dataclass
class _Place:
    """An argument of a call that is a literal."""

    call: ast.Call
    number: int | None
    keyword: ast.keyword | None
    name: str

    @property
    def value(self) -> ast.expr:
        return self.keyword.value if self.keyword else self.call.args[self.number or 0]

    def put(self, value: ast.expr) -> None:
        if self.keyword:
            self.keyword.value = value
        else:
            self.call.args[self.number or 0] = value

    def clear(self) -> None:
        self.put(ast.Name("_"))


def _places(tree: ast.AST, classes: Mapping[str, Sequence[str]]) -> list[_Place]:
    places = []
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        names = classes.get(ast.unparse(call.func)) or _parameter_names(call)
        for number, value in enumerate(call.args):
            if _is_literal(value):
                places.append(_Place(call, number, None, names[number] if number < len(names) else "value"))
        places += [_Place(call, None, word, word.arg or "") for word in call.keywords if _is_literal(word.value)]
    return places


def _parameter_names(call: ast.Call) -> Sequence[str]:
    function = call.func
    if isinstance(function, ast.Attribute) and ast.unparse(function).startswith("keras.layers."):
        return list(inspect.signature(getattr(keras.layers, function.attr)).parameters)
    return ["shape"] if isinstance(function, ast.Attribute) and function.attr == "add_weight" else []


def _is_literal(value: ast.expr) -> bool:
    value = copy.copy(value)
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True
