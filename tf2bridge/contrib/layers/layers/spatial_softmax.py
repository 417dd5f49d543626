"""`spatial_softmax`: the expected coordinates of the strongest place of each channel."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.utils import get_variable_collections

v1 = tf.compat.v1


@add_arg_scope
def spatial_softmax(
    features: Any,
    temperature: float | None = None,
    name: Any = None,
    variables_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> Any:
    """Returns [batch, 2 * channels]: the expected height and width, within [-1, 1], of each channel.

    `features` is [batch, height, width, channels], or in `data_format`. They are divided by the variable `temperature`
    before the softmax over height and width. The initial temperature is 1 by default (Levine et al., 2016).

    Raises:
        ValueError: the data format or the number of channels is unknown.
    """
    with v1.variable_scope(name, "spatial_softmax"):
        shape, sizes = tf.shape(features), features.shape.as_list()
        if data_format == "NHWC":
            height, width, channels = shape[1], shape[2], sizes[3]
        elif data_format == "NCHW":
            height, width, channels = shape[2], shape[3], sizes[1]
        else:
            check_data_format(data_format)
        if channels is None:
            raise ValueError("spatial_softmax: the number of channels is not known; set it with set_shape")
        with v1.name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            down = v1.lin_space(-1.0, 1.0, num=height)
            right = v1.lin_space(-1.0, 1.0, num=width)
            down, right = (
                tf.reshape(coordinates, [height * width]) for coordinates in tf.meshgrid(down, right, indexing="ij")
            )
            scale = _temperature(temperature, variables_collections, trainable)
            if data_format == "NHWC":
                features = tf.transpose(features, [0, 3, 1, 2])
            attention = v1.nn.softmax(tf.reshape(features, [-1, height * width]) / scale)
            expected = [tf.reduce_sum(place * attention, [1], keepdims=True) for place in (down, right)]
            keypoints = tf.reshape(tf.concat(expected, 1), [-1, channels * 2])
            keypoints.set_shape([None, channels * 2])
    return keypoints


def _temperature(value: float | None, collections: Any, trainable: bool) -> Any:
    return model_variable(
        "temperature",
        shape=(),
        dtype=tf.float32,
        initializer=v1.ones_initializer() if value is None else v1.constant_initializer(value),
        collections=get_variable_collections(collections, "temperature") if trainable else None,
        trainable=trainable,
    )
