"""`tf.contrib.eager`: what is called after every op that runs eagerly, and the check for infinities and NaNs."""

from __future__ import annotations

import contextlib
import enum
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.internals.framework import op_callbacks

_added: list[_AfterEager] = []
"""The callbacks that were added and not cleared, in order."""


class ExecutionCallback(enum.Enum):
    """The actions of `inf_nan_callback`."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


class InfOrNanError(Exception):
    """An output of an op has infinities or NaNs."""

    def __init__(self, op_type: str, op_name: str | None, output_index: int, num_outputs: int, value: Any) -> None:
        self.op_type, self.op_name = op_type, op_name
        self.output_index, self.num_outputs, self.value = output_index, num_outputs, value
        counts = ((np.count_nonzero(np.isinf(value)), "inf(s)"), (np.count_nonzero(np.isnan(value)), "nan(s)"))
        listed = " and ".join(f"{count} {kind}" for count, kind in counts if count)
        super().__init__(
            f"Output {output_index + 1} of {num_outputs} of TFE operation {op_type} (name: {op_name!r}) contains "
            f"{listed} out of a total of {np.size(value)} element(s). Tensor value: {value}"
        )


class _AfterEager:
    """A callback of 1.x as one of TensorFlow 2, which also calls it for ops that are added to a graph."""

    def __init__(self, callback: Callable[..., Any]) -> None:
        self.callback = callback

    def __call__(
        self, op_type: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        if graph is None and tf.executing_eagerly():
            self.callback(op_type, inputs, attrs, outputs, op_name)


def add_execution_callback(callback: Callable[..., Any]) -> None:
    """Calls `callback(op_type, inputs, attrs, outputs, op_name)` after each op that runs eagerly in this thread."""
    _added.append(_AfterEager(callback))
    op_callbacks.add_op_callback(_added[-1])


def clear_execution_callbacks() -> None:
    """Takes back all callbacks that were added."""
    while _added:
        op_callbacks.remove_op_callback(_added.pop())


def inf_nan_callback(
    op_type: str,
    inputs: Any,
    attrs: Any,
    outputs: Any,
    op_name: str | None,
    check_inf: bool = True,
    check_nan: bool = True,
    action: Any = ExecutionCallback.RAISE,
) -> None:
    """Checks the outputs of an op for infinities and NaNs, and takes `action` if there are any.

    Raises:
        InfOrNanError: the action is RAISE.
        ValueError: the action is IGNORE or unknown.
    """
    del inputs, attrs
    action = ExecutionCallback(action)
    for index, output in enumerate(outputs):
        if not (output.dtype.is_floating or output.dtype.is_complex):
            continue
        value = output.numpy()
        if (check_inf and np.any(np.isinf(value))) or (check_nan and np.any(np.isnan(value))):
            _act(action, InfOrNanError(op_type, op_name, index, len(outputs), value))


def _act(action: ExecutionCallback, error: InfOrNanError) -> None:
    if action is ExecutionCallback.RAISE:
        raise error
    if action is ExecutionCallback.PRINT:
        print(f"Warning: {error}")
    elif action is ExecutionCallback.WARN:
        logging.warn(str(error))
    else:
        raise ValueError(
            f"Invalid action for inf_nan_callback: {action}. Valid actions are: {{PRINT | WARN | RAISE}}"
        ) from error


def inf_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: str | None, action: Any = ExecutionCallback.RAISE
) -> None:
    """Does the same as `inf_nan_callback` for infinities only."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, check_nan=False, action=action)


def nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: str | None, action: Any = ExecutionCallback.RAISE
) -> None:
    """Does the same as `inf_nan_callback` for NaNs only."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, check_inf=False, action=action)


def seterr(inf_or_nan: Any = None) -> dict[str, ExecutionCallback]:
    """Sets the actions for infinities and NaNs, and returns the previous actions. None changes nothing.

    Raises:
        ValueError: an argument is not an ExecutionCallback.
    """
    wanted = None if inf_or_nan is None else ExecutionCallback(inf_or_nan)
    before = {"inf_or_nan": ExecutionCallback.IGNORE}
    for checks in [added for added in _added if _is_check(added.callback)]:
        keywords = getattr(checks.callback, "keywords", {})
        before["inf_or_nan"] = keywords.get("action", ExecutionCallback.RAISE)
        if wanted is not None:
            _added.remove(checks)
            op_callbacks.remove_op_callback(checks)
    if wanted not in (None, ExecutionCallback.IGNORE):
        add_execution_callback(functools.partial(inf_nan_callback, action=wanted))
    return before


def _is_check(callback: Any) -> bool:
    return getattr(callback, "func", callback) is inf_nan_callback


@contextlib.contextmanager
def errstate(inf_or_nan: Any = None) -> Iterator[None]:
    """Applies `seterr` to a block. In a graph it changes nothing."""
    if not tf.executing_eagerly():
        yield
        return
    before = seterr(inf_or_nan=inf_or_nan)
    try:
        yield
    finally:
        seterr(**before)
