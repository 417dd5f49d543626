"""Finds constructors that differ in literals alone: they are one constructor with arguments."""

from __future__ import annotations

import ast
import functools
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import keras

from tf2bridge.decompile.names import Names

Signature = Mapping[str, str | None]
"""The name of each argument of a class -> the expression of its default, or None."""
_PLAIN = (type(None), bool, int, float, str, tuple)


@dataclass(frozen=True)
class Template:
    """Several constructors as one.

    Attributes:
        signature: Its arguments.
        statements: Its statements.
        calls: For each constructor, the text of the arguments that it stands for.
    """

    signature: Signature
    statements: Sequence[str]
    calls: Sequence[str]


def skeleton(statements: Sequence[str], classes: Mapping[str, Signature]) -> str:
    """Returns the statements without the literals that are arguments of calls: equal ones have a template.

    Args:
        statements: The statements of a constructor.
        classes: The class of the model -> its arguments.
    """
    tree = ast.parse("\n".join(statements))
    for call in _calls(tree):
        _spell_out(call, classes)
        for place in _places(call):
            place.value = ast.Name("_")
    return ast.dump(tree)


def template(constructors: Sequence[Sequence[str]], classes: Mapping[str, Signature]) -> Template:
    """Returns the template of constructors with the same skeleton.

    Args:
        constructors: The statements of each constructor.
        classes: The class of the model -> its arguments.
    """
    trees = [ast.parse("\n".join(statements)) for statements in constructors]
    names, arguments = Names(), dict[tuple[str, ...], str]()
    for calls in zip(*map(_calls, trees), strict=True):
        for call in calls:
            _spell_out(call, classes)
        for places in zip(*map(_places, calls), strict=True):
            texts = tuple(_literal_text(place.value) for place in places)
            if len(set(texts)) > 1:
                if texts not in arguments:
                    arguments[texts] = names.new(places[0].arg or "value")
                places[0].value = ast.Name(arguments[texts])
    for call in _calls(trees[0]):
        _leave_out_defaults(call, classes)
    statements = tuple(ast.unparse(statement) for statement in trees[0].body)
    return _template({name: texts for texts, name in arguments.items()}, statements, len(constructors))


def _template(values: Mapping[str, Sequence[str]], statements: Sequence[str], count: int) -> Template:
    """Returns a template in which the value that most constructors have is the default of an argument."""
    signature: dict[str, str | None] = {}
    for name, texts in values.items():
        text, times = Counter(texts).most_common(1)[0]
        signature[name] = text if count > 2 and 2 * times > count else None
    signature = dict(sorted(signature.items(), key=lambda item: item[1] is not None))
    calls = [", ".join(_shown({name: values[name][place] for name in signature}, signature)) for place in range(count)]
    return Template(signature, statements, calls)


def _shown(given: Mapping[str, str], signature: Signature) -> list[str]:
    """Returns the arguments of a call, without those that are at their defaults."""
    required = [text for name, text in given.items() if signature[name] is None]
    others = [f"{name}={text}" for name, text in given.items() if signature[name] not in (None, text)]
    return required + others


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _signature(call: ast.Call, classes: Mapping[str, Signature]) -> Signature:
    """Returns the arguments of the class that a call makes; none if they are not known."""
    name = ast.unparse(call.func)
    if name in classes:
        return classes[name]
    if name == "self.add_weight":
        return {"shape": None}
    return _keras_signature(name) if name.startswith("keras.layers.") else {}


@functools.cache
def _keras_signature(name: str) -> Signature:
    """Returns the arguments of a layer of Keras."""
    parameters = inspect.signature(getattr(keras.layers, name.rpartition(".")[2])).parameters.values()
    return {
        parameter.name: repr(parameter.default) if isinstance(parameter.default, _PLAIN) else None
        for parameter in parameters
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    }


def _spell_out(call: ast.Call, classes: Mapping[str, Signature]) -> None:
    """Gives a call all arguments of its class as keywords."""
    signature = _signature(call, classes)
    if len(call.args) > len(signature):
        return
    given = dict(zip(signature, call.args, strict=False))
    given |= {word.arg: word.value for word in call.keywords if word.arg}
    defaults = {name: ast.parse(text, mode="eval").body for name, text in signature.items() if text is not None}
    values = {**dict.fromkeys(signature), **defaults, **given}
    call.args = []
    call.keywords = [ast.keyword(name, value) for name, value in values.items() if value is not None]


def _leave_out_defaults(call: ast.Call, classes: Mapping[str, Signature]) -> None:
    """Takes out of a call what is at its default, and writes the leading arguments without their names."""
    signature = _signature(call, classes)
    words = [word for word in call.keywords if ast.unparse(word.value) != signature.get(word.arg or "")]
    required = [name for name, default in signature.items() if default is None]
    while words and required and words[0].arg == required[0]:
        call.args.append(words.pop(0).value)
        del required[0]
    call.keywords = words


def _places(call: ast.Call) -> list[ast.keyword]:
    """Returns the arguments of a call that are literals."""
    return [word for word in call.keywords if _is_literal(word.value)]


def _is_literal(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


def _literal_text(value: ast.expr) -> str:
    """Returns the text of a literal; of a tuple of equal numbers, as Keras has them as defaults, one number."""
    literal = ast.literal_eval(value)
    if isinstance(literal, tuple) and literal and len(set(literal)) == 1:
        return repr(literal[0])
    return ast.unparse(value)
