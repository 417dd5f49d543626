"""Checks of the inputs of both integrators."""

from __future__ import annotations

import contextlib
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def check_types(y0: Any, t: Any, dt: Any = None) -> None:
    """Raises TypeError unless `y0` is floating or complex, and the times are floating."""
    if not (y0.dtype.is_floating or y0.dtype.is_complex):
        raise TypeError(f"y0 is of dtype {y0.dtype.name}; it must be a floating or complex one")
    for name, times in {"t": t, "dt": dt}.items():
        if times is not None and not times.dtype.is_floating:
            raise TypeError(f"{name} is of dtype {times.dtype.name}; it must be a floating one")


def check_sizes(t: Any, dt: Any) -> None:
    """Raises ValueError unless `t` and `dt` are vectors, and `dt` has a step for each interval of `t`."""
    for name, times in {"t": t, "dt": dt}.items():
        if times.shape.rank is not None and times.shape.rank > 1:
            raise ValueError(f"{name} has shape {times.shape}; it must be a vector")
    times, steps = t.shape.as_list()[0], dt.shape.as_list()[0]
    if times is not None and steps is not None and times != steps + 1:
        raise ValueError(f"there are {steps} steps dt for {times} times t; give one less than times")


def increasing(t: Any) -> contextlib.AbstractContextManager[Any]:
    """Returns a scope whose ops fail unless the times increase."""
    check = v1.Assert(v1.reduce_all(t[1:] > t[:-1]), ["`t` must be monotonic increasing"])
    scope: contextlib.AbstractContextManager[Any] = tf.control_dependencies([check])
    return scope
