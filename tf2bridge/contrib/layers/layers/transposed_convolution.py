"""Transposed convolutions of contrib.layers over two or three dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layers.convolution import (
    RENAMED,
    channels_first_or_last,
    check_data_format,
    collect_weights,
)
from tf2bridge.contrib.layers.layers.layer_variables import finished, model_variable_getter

v1 = tf.compat.v1


@add_arg_scope
def convolution2d_transpose(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    activation_fn: Callable[[Any], Any] | None = v1.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns the transposed convolution of `inputs`, [batch, height, width, channels] or in `data_format`.

    The variable `weights` is [height, width, num_outputs, channels]. The variable `biases` is added unless there is a
    `normalizer_fn`, or `biases_initializer` is None.

    Raises:
        ValueError: the data format is unknown.
    """
    getter = model_variable_getter(RENAMED)
    with v1.variable_scope(scope, "Conv2d_transpose", [inputs], reuse=reuse, custom_getter=getter) as sc:
        check_data_format(data_format)
        outputs = _transposed(
            "Conv2DTranspose",
            inputs,
            sc,
            variables_collections,
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=channels_first_or_last(data_format),
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            _reuse=reuse,
        )
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def convolution3d_transpose(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    activation_fn: Callable[[Any], Any] | None = v1.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns the transposed convolution of `inputs`, [batch, depth, height, width, channels] or in `data_format`.

    See `convolution2d_transpose`: this function has one dimension more.
    """
    getter = model_variable_getter(RENAMED)
    with v1.variable_scope(scope, "Conv3d_transpose", [inputs], reuse=reuse, custom_getter=getter) as sc:
        check_data_format(data_format, ("NCDHW", "NDHWC"))
        outputs = _transposed(
            "Conv3DTranspose",
            inputs,
            sc,
            variables_collections,
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=channels_first_or_last(data_format),
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            _reuse=reuse,
        )
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)


def _transposed(kind: str, inputs: Any, sc: Any, variables_collections: Any, **settings: Any) -> Any:
    inputs = tf.convert_to_tensor(inputs)
    layer = getattr(core_layers(), kind)(name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, **settings)
    outputs = layer.apply(inputs)
    collect_weights(layer, variables_collections)
    return outputs


conv2d_transpose = convolution2d_transpose
conv3d_transpose = convolution3d_transpose
