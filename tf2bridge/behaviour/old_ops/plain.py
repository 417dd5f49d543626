"""Functions to which 2.21 added a parameter, or whose default it changed, without another result.

Programs that wrap these functions see the difference: `inspect.signature` and TensorFlow's own `tf_inspect` tell
decorators which arguments to pass on.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.arguments import today


def ones(shape: Any, dtype: Any = tf.float32, name: str | None = None) -> Any:
    """Returns a tensor of ones."""
    return today("ones")(shape, dtype, name)


def zeros(shape: Any, dtype: Any = tf.float32, name: str | None = None) -> Any:
    """Returns a tensor of zeros."""
    return today("zeros")(shape, dtype, name)


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """Returns a tensor of the shape `dims` that holds `value` everywhere."""
    return today("fill")(dims, value, name)


def shape(input: Any, name: str | None = None, out_type: Any = tf.int32) -> Any:  # noqa: A002  # TensorFlow's name
    """Returns the shape of a tensor, as a tensor."""
    return today("shape")(input, name, out_type)


def size(input: Any, name: str | None = None, out_type: Any = tf.int32) -> Any:  # noqa: A002  # as above
    """Returns the number of elements of a tensor."""
    return today("size")(input, name, out_type)


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:  # noqa: A002  # as above
    """Returns a tensor of ones of the shape of `input`, with the parameters that `tf.compat.v2.ones_like` had."""
    return tf.ones_like(input, dtype, name)


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:  # noqa: A002  # as above
    """Returns a tensor of zeros of the shape of `input`, with the parameters that `tf.compat.v2.zeros_like` had."""
    return tf.zeros_like(input, dtype, name)


def shape_v2(input: Any, out_type: Any = tf.int32, name: str | None = None) -> Any:  # noqa: A002  # as above
    """As `shape`, with the order of parameters of `tf.compat.v2.shape`."""
    return today("shape")(input, name, out_type)


def size_v2(input: Any, out_type: Any = tf.int32, name: str | None = None) -> Any:  # noqa: A002  # as above
    """As `size`, with the order of parameters of `tf.compat.v2.size`."""
    return today("size")(input, name, out_type)


compat_v2_ones, compat_v2_zeros, compat_v2_fill = ones, zeros, fill
compat_v2_ones_like, compat_v2_zeros_like = ones_like, zeros_like
compat_v2_shape, compat_v2_size = shape_v2, size_v2
