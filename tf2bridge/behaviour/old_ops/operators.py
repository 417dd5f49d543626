"""Integer division and remainder of 0.12, which cut toward zero; 1.0 began to round down.

0.12.1 measured: -7 // 2 = -3, -7 % 3 = -1, tf.div(-7, 2) = -3, tf.mod(-7, 3) = -1, for floats -7. % 3. = -1.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put

v1 = tf.compat.v1

_LIBRARIES = ("tensorflow", "tf_keras", "keras")


def div(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y, cut toward zero for integers."""
    return _cut(tf.raw_ops.Div, x, y, name)


def mod(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the remainder of x / y, which has the sign of `x`."""
    return _cut(tf.raw_ops.Mod, x, y, name)


def floordiv(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x // y, cut toward zero for integers and rounded down for floats."""
    with v1.name_scope(name, "floordiv", [x, y]) as scope:
        x, y = _alike(x, y)
        quotient = functools.partial(tf.raw_ops.Div, x=x, y=y)
        return quotient(name=scope) if x.dtype.is_integer else tf.floor(quotient(), scope)


def _cut(op: Callable[..., Any], x: Any, y: Any, name: str | None) -> Any:
    x, y = _alike(x, y)
    return op(x=x, y=y, name=name)


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Returns both as tensors. A value that is not a tensor gets the dtype of the other one."""
    if hasattr(y, "dtype") and not hasattr(x, "dtype"):
        y = tf.convert_to_tensor(y)
        return tf.convert_to_tensor(x, y.dtype), y
    x = tf.convert_to_tensor(x)
    return x, tf.convert_to_tensor(y, x.dtype)


def install() -> None:
    """Gives the program's own `//` and `%` on tensors and variables 0.12's meaning, and TensorArray its old names.

    Called by `enable` for 0.12. TensorFlow's own code keeps today's operators.
    """
    for holder in (tf.Tensor, tf.Variable):
        for name, meaning in (("floordiv", floordiv), ("mod", mod)):
            _replace(holder, f"__{name}__", meaning)
            _replace(holder, f"__r{name}__", _turned(meaning))
    put(tf.TensorArray, "pack", tf.TensorArray.stack)
    put(tf.TensorArray, "unpack", tf.TensorArray.unstack)


def _turned(meaning: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: meaning(y, x)


def _replace(holder: type, method: str, meaning: Callable[[Any, Any], Any]) -> None:
    today = getattr(holder, method)

    @functools.wraps(today)
    def chosen(self: Any, other: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] in _LIBRARIES:
            return today(self, other)
        return meaning(self, other)

    put(holder, method, chosen)
