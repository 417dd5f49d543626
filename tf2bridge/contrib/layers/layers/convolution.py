"""Convolutions of contrib.layers over one, two or three dimensions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import in_force
from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layers.layer_variables import add_to_collections, finished, model_variable_getter

v1 = tf.compat.v1

RENAMED = {"bias": "biases", "kernel": "weights"}
_FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")
_CLASSES = {3: "Conv1D", 4: "Conv2D", 5: "Conv3D"}


def _convolution(
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
    weights_initializer: Any = xavier_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    conv_dims: int | None = None,
) -> Any:
    """Returns `inputs` convolved with the variable `weights`, [*kernel_size, channels, num_outputs].

    `inputs` is [batch, *sizes, channels], or [batch, channels, *sizes] if `data_format` begins with "NC". The variable
    `biases` is added unless there is a `normalizer_fn`, or `biases_initializer` is None.

    Raises:
        ValueError: the data format is unknown, the rank is not `conv_dims` + 2, or both a stride and a rate are given.
        TypeError: the rank is unknown.
    """
    if data_format not in _FORMATS:
        raise ValueError(f"unknown data_format {data_format!r}: use one of {', '.join(map(str, _FORMATS))}")
    with v1.variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=model_variable_getter(RENAMED)) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = getattr(core_layers(), _class(inputs, conv_dims))(
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=channels_first_or_last(data_format),
            dilation_rate=rate,
            activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        collect_weights(layer, variables_collections)
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)


def _class(inputs: Any, conv_dims: int | None) -> str:
    rank = inputs.shape.rank
    if in_force.before(1, 5):
        conv_dims = None  # in 1.4.1 conv2d is another name of convolution, in 1.12.3 it is not
    if rank in _CLASSES and conv_dims in (None, rank - 2):
        return _CLASSES[rank]
    wanted = "3, 4 or 5" if conv_dims is None else conv_dims + 2
    kind = TypeError if rank is None and conv_dims is not None else ValueError  # as in TF 1.x
    raise kind(f"Convolution expects input with rank {wanted}, got {rank}: {inputs.name}, {inputs.shape}")


def channels_first_or_last(data_format: str | None) -> str:
    """Returns Keras's name of a data format: "channels_first" if it begins with "NC", else "channels_last"."""
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def check_data_format(data_format: Any, allowed: tuple[str, str] = ("NCHW", "NHWC")) -> None:
    """Raises ValueError unless `data_format` is one of `allowed`."""
    if data_format not in allowed:
        raise ValueError(f"data_format has to be either {allowed[0]} or {allowed[1]}, not {data_format!r}")


def collect_weights(layer: Any, variables_collections: Any) -> None:
    """Adds the kernel and the bias of a layer to the collections of `weights` and `biases`."""
    add_to_collections(layer.kernel, variables_collections, "weights")
    if layer.bias is not None:
        add_to_collections(layer.bias, variables_collections, "biases")


def _of_dimensions(name: str, conv_dims: int) -> Callable[..., Any]:
    """Returns `convolution` for inputs of one rank, under its own name, which arg_scope, stack and repeat use."""

    @functools.wraps(_convolution)
    def layer(*args: Any, **kwargs: Any) -> Any:
        return _convolution(*args, **{**kwargs, "conv_dims": conv_dims})

    signature = inspect.signature(_convolution)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "conv_dims"]
    layer.__name__ = layer.__qualname__ = name
    layer.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return add_arg_scope(layer)


_convolution.__name__ = _convolution.__qualname__ = "convolution"
convolution = add_arg_scope(_convolution)
conv1d = convolution1d = _of_dimensions("convolution1d", 1)
conv2d = convolution2d = _of_dimensions("convolution2d", 2)
conv3d = convolution3d = _of_dimensions("convolution3d", 3)
