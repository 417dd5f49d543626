"""Callbacks for ops that are created or executed, as in 1.15: `with op_callbacks.op_callback(function):`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import private
from tf2bridge.internals import framework


def op_callback(callback_fn: Callable[..., Any]) -> contextlib.AbstractContextManager[None]:
    """Returns a context in which `callback_fn` is called for each op that this thread creates or executes.

    See `add_op_callback` of TensorFlow 2 for the arguments of the callback.

    Raises:
        ValueError: `callback_fn` is not callable.
    """
    if callback_fn is None:
        raise ValueError("Passed callback function cannot be None.")
    if not callable(callback_fn):
        raise ValueError(
            f"Callback function passed to op_callback() is expected to be callable, but is not. Recevied {callback_fn}"
        )
    return _called(callback_fn)


@contextlib.contextmanager
def _called(callback_fn: Callable[..., Any]) -> Any:
    callbacks: Any = private(framework, "op_callbacks")
    callbacks.add_op_callback(callback_fn)
    try:
        yield
    finally:
        callbacks.remove_op_callback(callback_fn)
