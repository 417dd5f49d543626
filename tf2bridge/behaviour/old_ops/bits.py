"""Bits packed into bytes: an operation of 1.4 to 1.15 that TensorFlow 2.21 does not have."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

_WEIGHTS = (128, 64, 32, 16, 8, 4, 2, 1)


def compare_and_bitpack(input: Any, threshold: Any, name: str | None = None) -> Any:  # noqa: A002  # TensorFlow's name
    """Returns the bits of `input > threshold`, eight to a byte, the first one the highest: uint8 of shape [..., n / 8].

    For booleans, the values themselves are the bits. Raises InvalidArgumentError if n is not a multiple of 8.
    """
    with tf.name_scope(name or "CompareAndBitpack") as scope:
        values = tf.convert_to_tensor(input)
        bits = values if values.dtype == tf.bool else values > tf.convert_to_tensor(threshold, values.dtype)
        shape = tf.shape(values)
        groups = tf.reshape(bits, tf.concat([shape[:-1], [shape[-1] // 8, 8]], 0))
        packed = tf.cast(tf.reduce_sum(tf.cast(groups, tf.int32) * _WEIGHTS, -1), tf.uint8)
        if values.shape.rank is not None:
            last = values.shape[-1]
            last = getattr(last, "value", last)  # a Dimension in graphs of 1.x
            packed.set_shape(values.shape[:-1].concatenate([None if last is None else last // 8]))
        return tf.identity(packed, scope)
