"""Binds arguments to names faster than `inspect.Signature.bind`, which takes longer than many measured functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from tf2bridge.behaviour.arguments import signature_of_today

Bind = Callable[[tuple[Any, ...], Mapping[str, Any]], dict[str, Any] | None]

_PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)


def binder(function: Callable[..., Any]) -> Bind:
    """Returns a function that turns arguments into name -> value with defaults, or None if they do not fit."""
    signature = signature_of_today(function)
    if any(parameter.kind not in _PLAIN for parameter in signature.parameters.values()):
        return _by_signature(signature)
    names = tuple(signature.parameters)
    defaults = {n: p.default for n, p in signature.parameters.items() if p.default is not p.empty}
    size = len(names)

    def bind(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        if len(args) > size:
            return None
        bound = {**defaults, **dict(zip(names, args, strict=False)), **kwargs}
        return bound if len(bound) == size else None

    return bind


def _by_signature(signature: inspect.Signature) -> Bind:
    def bind(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return None
        bound.apply_defaults()
        return bound.arguments

    return bind
