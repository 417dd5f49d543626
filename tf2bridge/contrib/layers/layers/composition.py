"""`repeat` and `stack`: one layer applied several times, each time in its own scope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def repeat(inputs: Any, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Returns `layer(..., *args, **kwargs)` applied `repetitions` times, in the scopes "name/name_1", ..."""
    scope = kwargs.pop("scope", None)
    with v1.variable_scope(scope, "Repeat", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        name = _name(layer, "repeat") if scope is None else scope
        for number in range(1, repetitions + 1):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{name}_{number}"})
        return outputs


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Sequence[Any], **kwargs: Any) -> Any:
    """Returns `inputs` after `layer(..., *args, **kwargs)`, applied once for each element of `stack_args`.

    An element is a list or tuple of arguments, or one argument.

    Raises:
        ValueError: `stack_args` is neither a list nor a tuple.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, list | tuple):
        raise ValueError(f"stack_args is a {type(stack_args).__name__}: give a list or tuple, one entry a layer")
    with v1.variable_scope(scope, "Stack", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        name = _name(layer, "stack") if scope is None else scope
        for number, args in enumerate(stack_args, 1):
            given = args if isinstance(args, list | tuple) else [args]
            outputs = layer(outputs, *given, **{**kwargs, "scope": f"{name}_{number}"})
        return outputs


def _name(layer: Any, otherwise: str) -> str:
    """Returns the name of a function, or of the function inside a `functools.partial`."""
    return str(getattr(layer, "__name__", getattr(getattr(layer, "func", None), "__name__", otherwise)))
