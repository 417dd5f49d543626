"""Callbacks of ops that are made or executed, as 1.15 had them: `with op_callbacks.op_callback(function):`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import private
from tf2bridge.internals import framework


def op_callback(callback_fn: Callable[..., Any]) -> contextlib.AbstractContextManager[None]:
    """A context in which each op that this thread makes or executes is told to `callback_fn`.

    Raises ValueError for what cannot be called. See `add_op_callback` of TensorFlow 2 for the arguments.
    """
    if callback_fn is None:
        raise ValueError("Passed callback function cannot be None.")
    if not callable(callback_fn):
        raise ValueError(
            f"Callback function passed to op_callback() is expected to be callable, but is not. Recevied {callback_fn}"
        )
    return _told(callback_fn)


@contextlib.contextmanager
def _told(callback_fn: Callable[..., Any]) -> Any:
    callbacks: Any = private(framework, "op_callbacks")
    callbacks.add_op_callback(callback_fn)
    try:
        yield
    finally:
        callbacks.remove_op_callback(callback_fn)
