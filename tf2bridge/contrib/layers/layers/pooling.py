"""Pooling layers of contrib.layers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.layers.convolution import channels_first_or_last, check_data_format
from tf2bridge.contrib.layers.utils import collect_named_outputs, n_positive_integers

v1 = tf.compat.v1


@add_arg_scope
def avg_pool2d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns the averages of windows of `inputs`, of rank 4. Raises ValueError if the data format is unknown."""
    check_data_format(data_format)
    settings = (kernel_size, stride, padding, data_format)
    return _pooled("AveragePooling2D", inputs, settings, outputs_collections, scope, "AvgPool2D")


@add_arg_scope
def max_pool2d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns the maxima of windows of `inputs`, of rank 4. Raises ValueError if the data format is unknown."""
    check_data_format(data_format)
    settings = (kernel_size, stride, padding, data_format)
    return _pooled("MaxPooling2D", inputs, settings, outputs_collections, scope, "MaxPool2D")


@add_arg_scope
def avg_pool3d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns the averages of windows of `inputs`, of rank 5. Raises ValueError if the data format is unknown."""
    check_data_format(data_format, ("NCDHW", "NDHWC"))
    settings = (kernel_size, stride, padding, data_format)
    return _pooled("AveragePooling3D", inputs, settings, outputs_collections, scope, "AvgPool3D")


@add_arg_scope
def max_pool3d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns the maxima of windows of `inputs`, of rank 5. Raises ValueError if the data format is unknown."""
    check_data_format(data_format, ("NCDHW", "NDHWC"))
    settings = (kernel_size, stride, padding, data_format)
    return _pooled("MaxPooling3D", inputs, settings, outputs_collections, scope, "MaxPool3D")


@add_arg_scope
def pool(
    inputs: Any,
    kernel_size: Any,
    pooling_type: str,
    padding: str = "VALID",
    data_format: str | None = None,
    dilation_rate: Any = 1,
    stride: Any = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns `inputs` pooled by "AVG" or "MAX". Raises ValueError if the rank is below 3."""
    with v1.name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None or rank < 3:
            raise ValueError(f"pool takes inputs of rank 3 or more; {inputs.name} has the shape {inputs.shape}")
        output = v1.nn.pool(
            input=inputs,
            window_shape=n_positive_integers(rank - 2, kernel_size),
            pooling_type=pooling_type,
            padding=padding,
            data_format=data_format,
            dilation_rate=n_positive_integers(rank - 2, dilation_rate),
            strides=n_positive_integers(rank - 2, stride),
            name=sc,
        )
        return collect_named_outputs(outputs_collections, sc, output)


def _pooled(kind: str, inputs: Any, settings: tuple[Any, ...], collections: Any, scope: Any, name: str) -> Any:
    kernel_size, stride, padding, data_format = settings
    with v1.name_scope(scope, name, [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = getattr(core_layers(), kind)(
            pool_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=channels_first_or_last(data_format),
            _scope=sc,
        )
        return collect_named_outputs(collections, sc, layer.apply(inputs))
