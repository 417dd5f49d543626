"""Functions whose static output shape is less known in TensorFlow 2.21 than in 1.x."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.framework import tensor_util

v1 = tf.compat.v1


def conv2d_transpose(
    value: Any = None,
    filter: Any = None,  # noqa: A002  # the name that 1.x gave it
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,  # noqa: A002  # as above
    filters: Any = None,
    dilations: Any = None,
) -> Any:
    """Returns the transposed convolution of `value`, [batch, height, width, channels], of the shape `output_shape`.

    2.21 takes the batch size from `value` instead, where programs often leave it open and give the number here.
    """
    convolved = v1.nn.conv2d_transpose(
        value, filter, output_shape, strides, padding, data_format, name, input, filters, dilations
    )
    if not tf.executing_eagerly() and convolved.op.type == "Conv2DBackpropInput":
        convolved.set_shape(tensor_util.constant_value_as_shape(convolved.op.inputs[0]))
    return convolved
