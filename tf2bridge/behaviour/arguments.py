"""Gives a function or class of TensorFlow the parameters that it had in an older release."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.refusals import ArgumentError


@dataclass(frozen=True)
class Old:
    """`parameters`: the old order, separated by spaces. `renamed`: "old=new" pairs, where a parameter changed its name.

    `refused`: old parameters that TensorFlow 2 has nothing for; a value other than None or False is an error.
    `always`: values of later parameters that do what the older release always did.
    """

    parameters: str
    renamed: str = ""
    refused: str = ""
    always: Mapping[str, Any] = field(default_factory=dict)

    def bind(self, function: str, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """Returns today's keyword arguments for a call in the old order. Raises ArgumentError if it does not fit."""
        order = self.parameters.split()
        if len(given) > len(order):
            raise self._misfit(function, f"takes {len(order)} positional arguments but {len(given)} were given")
        bound = dict(zip(order, given, strict=False))
        for name, value in named.items():
            if name in bound:
                raise self._misfit(function, f"got two values for {name!r}")
            if name not in order:
                raise self._misfit(function, f"has no parameter {name!r}")
            bound[name] = value
        for name in self.refused.split():
            given_value = bound.pop(name, None)
            if given_value is not None and given_value is not False:
                raise self._misfit(function, f"cannot be given {name!r} on TensorFlow 2")
        today = dict(pair.split("=") for pair in self.renamed.split())
        return {**{today.get(name, name): value for name, value in bound.items()}, **self.always}

    def signature(self, function: Callable[..., Any]) -> inspect.Signature:
        """Returns the old parameters in order, with the defaults that they have in TensorFlow's `function`."""
        new = signature_of_today(function).parameters
        today = dict(pair.split("=") for pair in self.renamed.split())
        kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
        parameters: list[inspect.Parameter] = []
        for name in self.parameters.split():
            same = new.get(today.get(name, name))
            default = None if same is None else same.default
            follows = bool(parameters) and parameters[-1].default is not empty
            parameters.append(inspect.Parameter(name, kind, default=None if follows and default is empty else default))
        return inspect.Signature(parameters)

    def _misfit(self, function: str, why: str) -> ArgumentError:
        return ArgumentError(function, self.parameters.replace(" ", ", "), why)


TODAY = "signature_of_today"
"""The attribute of functions that show the parameters of 1.15: those that they take."""


def signature_of_today(function: Callable[..., Any]) -> inspect.Signature:
    """Returns the parameters that a function of TensorFlow accepts, even if its visible signature is another one."""
    signature: inspect.Signature = getattr(function, TODAY, None) or inspect.signature(function)
    return signature


def today(name: str) -> Any:
    """Returns `tf.compat.v1.<name>`; asked for at each call, since seeds may replace the functions meanwhile."""
    symbol = tensorflow().compat.v1
    for part in name.split("."):
        symbol = getattr(symbol, part)
    return symbol


def function(name: str, old: Old) -> Callable[..., Any]:
    """Returns the function `name`, taking the parameters of `old`."""

    def call(*given: Any, **named: Any) -> Any:
        return today(name)(**old.bind(name, given, named))

    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    call.__signature__ = old.signature(today(name))  # type: ignore[attr-defined]  # read by inspect.signature
    call.__doc__ = f"tf.{name}({old.parameters.replace(' ', ', ')}), computing what tf.compat.v1.{name} does."
    return call


class OldClass:
    """Stands for the class `name` of TensorFlow, called as `old`; `isinstance` and attributes are those of the class.

    It is no subclass itself: TensorFlow's abstract classes would ask it about every other class.
    """

    def __init__(self, name: str, old: Old) -> None:
        self._name = name
        self._old = old
        self._target: type = today(name)
        self.__name__ = self._target.__name__
        self.__doc__ = self._target.__doc__

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._target(**self._old.bind(self._name, given, named))

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._target)

    def __subclasscheck__(self, other: type) -> bool:
        return issubclass(other, self._target)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """Makes a class that the program derives from it call the old `__init__`."""
        del bases
        name, old, target = self._name, self._old, self._target

        def init(instance: Any, *given: Any, **named: Any) -> None:
            target.__init__(instance, **old.bind(name, given, named))  # type: ignore[misc]  # any class's initialiser

        return (type(target)(target.__name__, (target,), {"__init__": init}),)
