"""Loops of recurrent networks and functional operations up to 1.4: no second counter, inputs transposed outside.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

from tf2bridge.patching import Function

_uncounted: ContextVar[bool] = ContextVar("uncounted", default=False)
_outside: ContextVar[str | None] = ContextVar("outside", default=None)


def without_counter(original: Function) -> Function:
    """Returns a function whose loops have only the counter in their condition, without a second one of `while_loop`."""

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        uncounted, outside = _uncounted.set(True), _outside.set(None)
        try:
            return original(*args, **kwargs)
        finally:
            _uncounted.reset(uncounted)
            _outside.reset(outside)

    return call


def uncounted(original: Function) -> Function:
    """Returns `while_loop` for the loops of `without_counter`. `maximum_iterations` is new in 1.5."""

    @functools.wraps(original)
    def while_loop(*args: Any, **kwargs: Any) -> Any:
        if _uncounted.get():
            kwargs["maximum_iterations"] = None
        return original(*args, **kwargs)

    return while_loop


def turned_outside(original: Function) -> Function:
    """Returns `dynamic_rnn` that transposes batch and time of its inputs before it opens its scope."""

    @functools.wraps(original)
    def dynamic_rnn(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import ops

        token = _outside.set(ops.get_default_graph().get_name_scope())
        try:
            return original(*args, **kwargs)
        finally:
            _outside.reset(token)

    return dynamic_rnn


def turned(original: Function) -> Function:
    """Returns the function that transposes batch and time, for the inputs of `turned_outside`."""

    @functools.wraps(original)
    def transpose_batch_time(x: Any) -> Any:
        from tf2bridge.internals.framework import ops

        scope = _outside.get()
        if scope is None:
            return original(x)
        with ops.get_default_graph().name_scope(f"{scope}/" if scope else None):
            return original(x)

    return transpose_batch_time


def within(original: Function) -> Function:
    """Returns the loop of `dynamic_rnn`.

    Tensors that are transposed after it are outputs, which are inside the scope.
    """
    looped = without_counter(original)

    @functools.wraps(original)
    def dynamic_rnn_loop(*args: Any, **kwargs: Any) -> Any:
        results = looped(*args, **kwargs)
        _outside.set(None)
        return results

    return dynamic_rnn_loop
