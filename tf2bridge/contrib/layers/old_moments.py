"""`tf.nn.moments` as TensorFlow 0.12 computed it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import seeds

v1 = tf.compat.v1


def of_release() -> Callable[..., Any]:
    """Returns `tf.nn.moments` of the release whose op seeds are installed: for 0.12 the function below."""
    return moments if seeds.installed() == "0.12.1" else v1.nn.moments


def moments(x: Any, axes: Any, shift: Any = None, name: str | None = None, keep_dims: bool = False) -> tuple[Any, Any]:
    """Returns mean and variance over `axes` by 0.12's method: from the sums of x - `shift` and of its squares.

    (1.x sums the squares of the differences from the mean, which has smaller rounding errors.)
    """
    with v1.name_scope(name, "moments", [x, axes, shift]):
        x = tf.convert_to_tensor(x)
        wide = v1.cast(x, tf.float32) if x.dtype == tf.float16 else x
        shift = v1.cast(shift, tf.float32) if shift is not None and x.dtype == tf.float16 else shift
        counts, total, squares = _sums(wide, axes, shift, keep_dims, name)
        with v1.control_dependencies([counts, total, squares]):
            mean, variance = v1.nn.normalize_moments(counts, total, squares, shift, name)
        if x.dtype == tf.float16:
            return v1.cast(mean, tf.float16), v1.cast(variance, tf.float16)
        return mean, variance


def _sums(x: Any, axes: Any, shift: Any, keep_dims: bool, name: str | None) -> tuple[Any, Any, Any]:
    """Returns the number of values, the sum of the values minus `shift`, and the sum of the squares of these.

    The number is an integer before it is cast, so it has no gradient.
    """
    with v1.name_scope(name, "sufficient_statistics", [x, shift]):
        if x.shape.is_fully_defined() and isinstance(axes, (list, tuple)):
            counts = v1.constant(math.prod(x.shape.as_list()[axis] for axis in axes), dtype=x.dtype)
        else:
            counts = v1.cast(v1.reduce_prod(v1.gather(v1.shape(x), axes)), x.dtype, name="count")
        values = x if shift is None else v1.subtract(x, shift)
        squares = v1.square(x) if shift is None else v1.squared_difference(x, shift)
        total = v1.reduce_sum(values, axes, keep_dims=keep_dims, name="mean_ss")
        return counts, total, v1.reduce_sum(squares, axes, keep_dims=keep_dims, name="var_ss")
