"""Batch normalization from `tf.nn.moments`, for weighted examples and immediate updates."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers import old_moments
from tf2bridge.contrib.layers.layers.batch_norm_settings import Settings, per_channel
from tf2bridge.contrib.layers.layers.layer_variables import finished
from tf2bridge.contrib.layers.utils import constant_value, smart_cond

v1 = tf.compat.v1
Pair = tuple[Any, Any]


def moments_batch_norm(inputs: Any, batch_weights: Any, settings: Settings, name: str) -> Any:
    """Returns `inputs` normalized. The examples are weighted by `batch_weights`, [batch] or None.

    Raises:
        ValueError: the rank or the number of channels is unknown, or the number of weights is not the batch size.
    """
    if inputs.shape.rank is None:
        raise ValueError(f"the rank of {inputs.name} is not known; set it with set_shape")
    weights = None if batch_weights is None else _per_example(inputs, batch_weights)
    shape = per_channel(inputs, settings)
    dtype = inputs.dtype.base_dtype
    beta = settings.variable("beta", shape, dtype, settings.trainable) if settings.center else None
    gamma = settings.variable("gamma", shape, dtype, settings.trainable) if settings.scale else None
    averages = settings.moving_averages(shape, dtype)
    mean, variance = _mean_and_variance(inputs, weights, averages, settings)
    if settings.channels_first:
        broadcast = [1, inputs.shape.as_list()[1], *[1] * (inputs.shape.rank - 2)]
        mean, variance = tf.reshape(mean, broadcast), tf.reshape(variance, broadcast)
        beta = None if beta is None else tf.reshape(beta, broadcast)
        gamma = None if gamma is None else tf.reshape(gamma, broadcast)
    outputs = v1.nn.batch_normalization(inputs, mean, variance, beta, gamma, settings.epsilon)
    outputs.set_shape(inputs.shape)
    return finished(outputs, None, None, settings.activation_fn, settings.outputs_collections, name)


def _per_example(inputs: Any, batch_weights: Any) -> Any:
    weights = tf.convert_to_tensor(batch_weights)
    inputs.shape[0:1].assert_is_compatible_with(weights.shape)
    return tf.reshape(weights, [-1, *[1] * (inputs.shape.rank - 1)])


def _mean_and_variance(inputs: Any, weights: Any, averages: Pair, settings: Settings) -> Pair:
    known = constant_value(settings.is_training)
    if known is not None and not known:
        return averages
    moments = _moments(inputs, weights, averages[0], settings)
    if settings.updates_collections is not None:
        settings.collect_updates(averages, moments)
        return _pair(smart_cond(settings.is_training, lambda: moments, lambda: averages))

    def updated() -> Pair:
        with v1.control_dependencies(settings.updates(averages, moments)):
            return tf.identity(moments[0]), tf.identity(moments[1])

    return _pair(smart_cond(settings.is_training, updated, lambda: averages))


def _moments(inputs: Any, weights: Any, moving_mean: Any, settings: Settings) -> Pair:
    rank = inputs.shape.rank
    axes = [0, *range(2, rank)] if settings.channels_first else list(range(rank - 1))
    if weights is None and settings.as_in_0_12:
        mean, variance = _moments_about(moving_mean, inputs, axes, settings)
    elif weights is None:
        mean, variance = v1.nn.moments(inputs, axes, keep_dims=settings.channels_first or None)
    else:
        mean, variance = v1.nn.weighted_moments(inputs, axes, weights, keepdims=settings.channels_first or None)
    if settings.channels_first:
        return tf.reshape(mean, [-1]), tf.reshape(variance, [-1])
    return mean, variance


def _moments_about(moving_mean: Any, inputs: Any, axes: list[int], settings: Settings) -> Pair:
    """Returns the moments, computed with the moving mean as shift. Later releases removed this from `tf.nn.moments`."""
    shift = tf.add(moving_mean, 0)
    if settings.channels_first:
        shift = tf.reshape(shift, [1, inputs.shape.as_list()[1], *[1] * (inputs.shape.rank - 2)])
    return old_moments.moments(inputs, axes, shift, keep_dims=settings.channels_first)


def _pair(moments: Any) -> Pair:
    mean, variance = moments
    return mean, variance
