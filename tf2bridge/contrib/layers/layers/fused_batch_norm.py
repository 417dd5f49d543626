"""Batch normalization by the fused kernel, for the arguments that `tf.layers` does not support."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.layers.batch_norm_settings import Settings, per_channel
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.layers.layer_variables import finished
from tf2bridge.contrib.layers.utils import constant_value, smart_cond

v1 = tf.compat.v1


def fused_batch_norm(inputs: Any, settings: Settings, scope: Any, reuse: Any) -> Any:
    """Returns `inputs`, of rank 2 or 4, normalized. Raises ValueError if the channels or data format are unknown."""
    check_data_format(settings.data_format)
    with v1.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        original = tf.convert_to_tensor(inputs)
        images = _as_images(original, settings) if original.shape.rank == 2 else original
        outputs = _normalized(images, settings)
        outputs.set_shape(images.shape)
        if original.shape.rank == 2:
            outputs = tf.reshape(outputs, tf.shape(original))
        return finished(outputs, None, None, settings.activation_fn, settings.outputs_collections, sc.name)


def _as_images(inputs: Any, settings: Settings) -> Any:
    channels = inputs.shape.as_list()[-1]
    if channels is None:
        raise ValueError(f"the channels of {inputs.name}, {inputs.shape}, are not known; set them with set_shape")
    return tf.reshape(inputs, [-1, channels, 1, 1] if settings.channels_first else [-1, 1, 1, channels])


def _normalized(inputs: Any, settings: Settings) -> Any:
    """Returns `inputs` normalized. The parameters are always float32: half precision would lose the averages."""
    shape = per_channel(inputs, settings)
    beta, gamma = _offset_and_scale(shape, settings)
    averages = settings.moving_averages(shape, tf.float32)
    common = {"epsilon": settings.epsilon, "data_format": settings.data_format}

    def training() -> Any:
        return v1.nn.fused_batch_norm(inputs, gamma, beta, **common)

    def inference() -> Any:
        mean, variance = averages
        return v1.nn.fused_batch_norm(inputs, gamma, beta, mean=mean, variance=variance, is_training=False, **common)

    outputs, *moments = smart_cond(settings.is_training, training, inference)
    return _with_updates(outputs, averages, (moments[0], moments[1]), settings)


def _offset_and_scale(shape: Any, settings: Settings) -> tuple[Any, Any]:
    beta = _parameter("beta", settings.center, 0.0, shape, settings)
    return beta, _parameter("gamma", settings.scale, 1.0, shape, settings)


def _parameter(name: str, wanted: bool, otherwise: float, shape: Any, settings: Settings) -> Any:
    if not wanted and not settings.as_in_0_12:
        return v1.constant(otherwise, dtype=tf.float32, shape=shape)
    trainable = settings.trainable and wanted
    return settings.variable(name, shape, tf.float32, trainable, settings.param_regularizers.get(name))


def _with_updates(outputs: Any, averages: tuple[Any, Any], moments: tuple[Any, Any], settings: Settings) -> Any:
    known = constant_value(settings.is_training)
    if known is not None and not known:
        return outputs
    if settings.updates_collections is not None:
        settings.collect_updates(averages, moments)
        return outputs

    def updated() -> Any:
        with v1.control_dependencies(settings.updates(averages, moments)):
            return tf.identity(outputs)

    return smart_cond(settings.is_training, updated, lambda: outputs)
