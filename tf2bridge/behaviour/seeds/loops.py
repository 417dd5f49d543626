"""Loops of recurrent networks and functional operations up to 1.4: no second counter, and inputs turned outside.

Each function takes the original and returns its replacement, as those of `rules` do.
"""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

from tf2bridge.patching import Function

_uncounted: ContextVar[bool] = ContextVar("uncounted", default=False)
_outside: ContextVar[str | None] = ContextVar("outside", default=None)


def without_counter(original: Function) -> Function:
    """Its loops count their turns by a variable that the condition compares, not by one of `while_loop` too."""

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
    """Replaces `while_loop` for the loops of `without_counter`; `maximum_iterations` came in 1.5."""

    @functools.wraps(original)
    def while_loop(*args: Any, **kwargs: Any) -> Any:
        if _uncounted.get():
            kwargs["maximum_iterations"] = None
        return original(*args, **kwargs)

    return while_loop


def turned_outside(original: Function) -> Function:
    """`dynamic_rnn` turned batch and time of its inputs before it opened its scope."""

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
    """Replaces what turns batch and time, for the inputs of `turned_outside`."""

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
    """The loop of `dynamic_rnn`: what is turned after it are outputs, which stand in the scope."""
    looped = without_counter(original)

    @functools.wraps(original)
    def dynamic_rnn_loop(*args: Any, **kwargs: Any) -> Any:
        results = looped(*args, **kwargs)
        _outside.set(None)
        return results

    return dynamic_rnn_loop
