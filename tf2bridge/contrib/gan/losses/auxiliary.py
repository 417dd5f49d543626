"""The weights of auxiliary losses."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def checked_weight(weight: Any, name: str) -> Any:
    """Returns the weight of an auxiliary loss. The value of a tensor is checked at run time.

    Raises:
        ValueError: the weight is a negative number.
    """
    if isinstance(weight, tf.Tensor):
        weight.shape.assert_is_compatible_with([])
        with tf.control_dependencies([v1.assert_greater_equal(weight, 0.0)]):
            return tf.identity(weight)
    if weight is not None and weight < 0:
        raise ValueError(f"{name} is {weight}; it must not be negative")
    return weight


def is_used(weight: Any) -> bool:
    """Returns True unless `weight` is None or the number 0."""
    return weight is not None and (isinstance(weight, tf.Tensor) or bool(weight > 0))
