"""Branches that are taken while the graph is built where the predicate is known by then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """Returns the value if it is known already, else None: a variable's never is.

    Raises ValueError for None, and for a tensor or variable whose dtype is not `dtype`.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None: give a value, a tensor or a variable")
    if not isinstance(value, tf.Tensor | tf.Variable):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"{value.name} has the dtype {value.dtype}, not {dtype}")
    return None if isinstance(value, tf.Variable) else tf.get_static_value(value)


def static_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any]) -> Any:
    """Returns `fn1()` if `pred` is true, else `fn2()`. Raises TypeError where one of them is no function."""
    if not callable(fn1):
        raise TypeError("fn1 must be callable")
    if not callable(fn2):
        raise TypeError("fn2 must be callable")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None) -> Any:
    """Returns what `static_cond` does if `pred` is known, else a `tf.cond`."""
    known = constant_value(pred)
    if known is not None:
        return static_cond(known, fn1, fn2)
    return v1.cond(pred, fn1, fn2, name)  # the name goes where `strict` stands, as it did in TF 1.x
