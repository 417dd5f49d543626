"""Normalizations of contrib.layers without moving averages: layer, instance and group normalization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers import old_moments
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.layers.layer_variables import finished
from tf2bridge.contrib.layers.utils import get_variable_collections

v1 = tf.compat.v1

_INITIALIZERS = {"beta": v1.zeros_initializer, "gamma": v1.ones_initializer}


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[[Any], Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Any:
    """Returns `inputs` normalized over all axes from `begin_norm_axis` on (Ba, Kiros and Hinton, 2016).

    `beta` and `gamma` have the shape of the axes from `begin_params_axis` on.

    Raises:
        ValueError: an axis is out of range, or a needed size is unknown.
    """
    with v1.variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        rank = _rank(inputs)
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({first}) must be < rank(inputs) ({rank})"
            )
        shape = inputs.shape[begin_params_axis:]
        if not shape.is_fully_defined():
            raise ValueError(
                f"{inputs.name}: its shape {inputs.shape} is not fully defined from axis {begin_params_axis} on"
            )
        dtype = inputs.dtype.base_dtype
        settings: tuple[Any, ...] = (shape, dtype, {}, variables_collections, trainable)
        beta = _variable("beta", *settings) if center else None
        gamma = _variable("gamma", *settings) if scale else None
        mean, variance = old_moments.of_release()(inputs, list(range(first, rank)), keep_dims=True)
        epsilon = 1e-3 if dtype == tf.float16 else 1e-12  # 1e-12 is 0 in half precision
        outputs = v1.nn.batch_normalization(inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=epsilon)
        outputs.set_shape(inputs.shape)
        return finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def instance_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[[Any], Any] | None = None,
    param_initializers: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Returns `inputs` normalized over all axes but batch and channels (Ulyanov et al., 2016).

    Raises:
        ValueError: the data format, the rank or the number of channels is unknown.
    """
    inputs = tf.convert_to_tensor(inputs)
    rank = _rank(inputs)
    check_data_format(data_format)
    with v1.variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        axis = 1 if data_format == "NCHW" else rank - 1
        shape = inputs.shape[axis : axis + 1]
        if not shape.is_fully_defined():
            raise ValueError(f"{inputs.name} has an undefined channels dimension {shape}; set it with set_shape")
        settings = (shape, inputs.dtype.base_dtype, param_initializers or {}, variables_collections, trainable)
        broadcast = [1, shape.as_list()[0], *[1] * (rank - 2)] if data_format == "NCHW" else None
        beta = _broadcast(_variable("beta", *settings), broadcast) if center else None
        gamma = _broadcast(_variable("gamma", *settings), broadcast) if scale else None
        axes = [dimension for dimension in range(1, rank) if dimension != axis]
        mean, variance = v1.nn.moments(inputs, axes, keep_dims=True)
        outputs = v1.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon, name="instancenorm")
        return finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def group_norm(
    inputs: Any,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[[Any], Any] | None = None,
    param_initializers: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Any:
    """Returns `inputs` normalized over `reduction_axes` and each of `groups` groups of channels (Wu and He, 2018).

    `mean_close_to_zero` uses a faster formula of the variance, which is exact enough for such means.

    Raises:
        ValueError: an axis is out of range, a size is unknown, or the number of channels is not a multiple of `groups`.
    """
    inputs = tf.convert_to_tensor(inputs)
    rank = _rank(inputs)
    if channels_axis > rank - 1:
        raise ValueError(f"Axis is out of bounds. channels_axis is {channels_axis}, the rank {rank}")
    known, dynamic = inputs.shape.as_list(), tf.shape(inputs)
    sizes = [dynamic[index] if size is None else size for index, size in enumerate(known)]
    channel = channels_axis % rank if channels_axis < 0 else channels_axis
    _check_channels(known, channel)
    reduced = _reduced_axes(known, channel, reduction_axes)
    _check_groups(known, channel, groups)
    channels = known[channel]
    grouped = [groups, channels // groups]
    broadcast = [*[1] * channel, *grouped, *[1] * (rank - channel - 1)]
    inputs = tf.reshape(inputs, [*sizes[:channel], *grouped, *sizes[channel + 1 :]])
    axes = [channel + 1, *(axis + 1 if axis > channel else axis for axis in reduced)]
    with v1.variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        settings = ([channels], inputs.dtype.base_dtype, param_initializers or {}, variables_collections, trainable)
        beta = _broadcast(_variable("beta", *settings), broadcast) if center else None
        gamma = _broadcast(_variable("gamma", *settings), broadcast) if scale else None
        gain, offset = _gain_and_offset(inputs, axes, epsilon, mean_close_to_zero)
        if gamma is not None:
            gain *= gamma
            offset *= gamma
        if beta is not None:
            offset += beta
        outputs = tf.reshape(inputs * gain + offset, sizes)
        return finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


def _gain_and_offset(inputs: Any, axes: list[int], epsilon: float, mean_close_to_zero: bool) -> tuple[Any, Any]:
    if mean_close_to_zero:
        counts, total, squares, _ = v1.nn.sufficient_statistics(inputs, axes, keep_dims=True)
        mean, variance = v1.nn.normalize_moments(counts, total, squares, shift=None)
    else:
        mean, variance = v1.nn.moments(inputs, axes, keep_dims=True)
    gain = tf.math.rsqrt(variance + epsilon)
    return gain, -mean * gain


def _check_channels(sizes: list[int | None], channel: int) -> None:
    if sizes[channel] is None:
        raise ValueError(f"{sizes} has an undefined channel dimension, {channel}; set it with set_shape")


def _check_groups(sizes: list[int | None], channel: int, groups: int) -> None:
    channels = sizes[channel] or 0
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")


def _reduced_axes(sizes: list[int | None], channel: int, axes: Sequence[int]) -> list[int]:
    positions = [axis + len(sizes) if axis < 0 else axis for axis in axes]
    for axis in positions:
        if axis >= len(sizes):
            raise ValueError(f"Axis is out of bounds. reduction_axes holds {axis}, the rank is {len(sizes)}")
        if sizes[axis] is None:
            raise ValueError(f"{sizes} has undefined dimensions: {axis}; set it with set_shape")
        if axis == channel:
            raise ValueError(f"reduction_axes and channels_axis must be mutually exclusive; both hold {axis}")
    return positions


def _rank(inputs: Any) -> int:
    if inputs.shape.rank is None:
        raise ValueError(f"{inputs.name} has undefined rank; set it with set_shape")
    return int(inputs.shape.rank)


def _variable(name: str, shape: Any, dtype: Any, initializers: Any, collections: Any, trainable: bool) -> Any:
    return model_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializers.get(name, _INITIALIZERS[name]()),
        collections=get_variable_collections(collections, name),
        trainable=trainable,
    )


def _broadcast(variable: Any, shape: list[int] | None) -> Any:
    return variable if shape is None else tf.reshape(variable, shape)
