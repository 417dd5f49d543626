"""Layers with masked weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layers.convolution import RENAMED
from tf2bridge.contrib.layers.layers.layer_variables import add_to_collections, finished, model_variable_getter
from tf2bridge.contrib.model_pruning.layers.core_layers import MaskedConv2D, MaskedFullyConnected

v1 = tf.compat.v1


@add_arg_scope
def masked_convolution(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: Any = 1,
    activation_fn: Callable[[Any], Any] | None = v1.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008  # the default of contrib: it holds no state
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns the convolution of images, [batch, height, width, channels], with masked `weights`.

    Everything else is as in the layer of contrib.layers.

    Raises:
        ValueError: the rank or the data format is not supported.
    """
    formats = {None: "channels_last", "NHWC": "channels_last", "NCHW": "channels_first"}
    if data_format not in (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise ValueError(f"data_format is {data_format!r}; it must be NHWC or NCHW")
    getter = model_variable_getter(RENAMED)
    with v1.variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        if inputs.shape.rank != 4 or data_format not in formats:
            raise ValueError(
                f"inputs have shape {inputs.shape} in {data_format}; only images, of rank 4, can be masked"
            )
        layer = MaskedConv2D(
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=formats[data_format],
            dilation_rate=rate,
            activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            activity_regularizer=None,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        _collect(layer, variables_collections)
        name = sc.original_name_scope
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, name)


masked_conv2d = masked_convolution


@add_arg_scope
def masked_fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Callable[[Any], Any] | None = v1.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns `inputs`, [..., units], times masked `weights`, as [..., num_outputs].

    Everything else is as in the layer of contrib.layers.

    Raises:
        ValueError: `num_outputs` is not an int.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs is {num_outputs!r}, of type {type(num_outputs).__name__}: give an int")
    getter = model_variable_getter(RENAMED)
    with v1.variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = MaskedFullyConnected(
            units=num_outputs,
            activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            activity_regularizer=None,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        _collect(layer, variables_collections)
        name = sc.original_name_scope
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, name)


def _collect(layer: Any, variables_collections: Any) -> None:
    add_to_collections(layer.kernel, variables_collections, "weights")
    if layer.bias is not None:
        add_to_collections(layer.bias, variables_collections, "biases")
