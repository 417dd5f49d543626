"""Convolutions of each channel by itself: separable convolutions, and one kernel for all channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layers.convolution import channels_first_or_last, check_data_format
from tf2bridge.contrib.layers.layers.layer_variables import add_to_collections, finished, model_variable_getter
from tf2bridge.contrib.layers.utils import (
    channel_dimension,
    get_variable_collections,
    last_dimension,
    two_element_tuple,
)

v1 = tf.compat.v1

_RENAMED = {
    "bias": "biases",
    "depthwise_kernel": "depthwise_weights",
    "pointwise_kernel": "pointwise_weights",
}


@add_arg_scope
def separable_convolution2d(
    inputs: Any,
    num_outputs: int | None,
    kernel_size: Any,
    depth_multiplier: int = 1,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: Any = 1,
    activation_fn: Callable[[Any], Any] | None = v1.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    pointwise_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns `inputs` convolved channel by channel with `depthwise_weights`, then mixed by `pointwise_weights`.

    `inputs` is [batch, height, width, channels], or [batch, channels, height, width] for "NCHW". Without `num_outputs`
    the channels are not mixed. The variable `biases` is added as in `conv2d`.

    Raises:
        ValueError: the data format is unknown.
    """
    check_data_format(data_format)
    getter = model_variable_getter(_RENAMED)
    with v1.variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        if num_outputs is None:
            weights = _variable(
                "depthwise_weights",
                [*two_element_tuple(kernel_size), _channels(inputs, data_format), depth_multiplier],
                (inputs.dtype, weights_initializer, weights_regularizer, trainable, variables_collections, "weights"),
            )
            height, width = two_element_tuple(stride)
            outputs = v1.nn.depthwise_conv2d(
                inputs,
                weights,
                [1, 1, height, width] if data_format == "NCHW" else [1, height, width, 1],
                padding,
                rate=two_element_tuple(rate),
                data_format=data_format,
            )
            if normalizer_fn is None and biases_initializer is not None:
                biases = _variable(
                    "biases",
                    [depth_multiplier * _channels(inputs, data_format)],
                    (inputs.dtype, biases_initializer, biases_regularizer, trainable, variables_collections, "biases"),
                )
                outputs = v1.nn.bias_add(outputs, biases, data_format=data_format)
            return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)
        layer = core_layers().SeparableConv2D(
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=channels_first_or_last(data_format),
            dilation_rate=two_element_tuple(rate),
            activation=None,
            depth_multiplier=depth_multiplier,
            use_bias=not normalizer_fn and bool(biases_initializer),
            depthwise_initializer=weights_initializer,
            pointwise_initializer=pointwise_initializer or weights_initializer,
            bias_initializer=biases_initializer,
            depthwise_regularizer=weights_regularizer,
            pointwise_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        add_to_collections(layer.depthwise_kernel, variables_collections, "weights")
        add_to_collections(layer.pointwise_kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_to_collections(layer.bias, variables_collections, "biases")
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def convolution2d_in_plane(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
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
    """Returns `inputs`, [batch, height, width, channels], each channel convolved with the same `weights`.

    The variable `biases` is added as in `conv2d`.

    Raises:
        ValueError: the number of channels is unknown.
    """
    with v1.variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        height, width = two_element_tuple(kernel_size)
        down, right = two_element_tuple(stride)
        channels = last_dimension(inputs.shape, min_rank=4)
        weights = _variable(
            "weights",
            [height, width, 1, 1],
            (inputs.dtype, weights_initializer, weights_regularizer, trainable, variables_collections, "weights"),
        )
        kernel = tf.tile(weights, [1, 1, channels, 1])
        outputs = v1.nn.depthwise_conv2d(inputs, kernel, [1, down, right, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            biases = _variable(
                "biases",
                [channels],
                (inputs.dtype, biases_initializer, biases_regularizer, trainable, variables_collections, "biases"),
            )
            outputs = v1.nn.bias_add(outputs, biases)
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)


def _channels(inputs: Any, data_format: str) -> int:
    return channel_dimension(inputs.shape, channels_first_or_last(data_format), min_rank=4)


def _variable(name: str, shape: list[int], settings: tuple[Any, ...]) -> Any:
    dtype, initializer, regularizer, trainable, collections, collected_as = settings
    return model_variable(
        name,
        shape=shape,
        dtype=dtype.base_dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=get_variable_collections(collections, collected_as),
    )


separable_conv2d = separable_convolution2d
conv2d_in_plane = convolution2d_in_plane
