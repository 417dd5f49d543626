"""Batch normalization as a bijector (https://arxiv.org/abs/1605.08803, section 3.7)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.distributions.core import Bijector, v1


class BatchNormalization(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """Batch normalization. Inverse normalizes: by the batch in training, otherwise by the moving averages.

    Forward undoes the normalization by moving averages. `batchnorm_layer` is a layer of `tf.layers`.

    Raises:
        ValueError: the layer uses renormalization or virtual batches.
    """

    def __init__(
        self,
        batchnorm_layer: Any = None,
        training: Any = True,
        validate_args: bool = False,
        name: str = "batch_normalization",
    ) -> None:
        layer_type = core_layers().BatchNormalization
        self.batchnorm = batchnorm_layer or layer_type(gamma_constraint=lambda gamma: tf.nn.relu(gamma) + 1e-6)
        if not isinstance(self.batchnorm, layer_type):
            raise ValueError("batchnorm_layer must be an instance of BatchNormalization layer.")
        if self.batchnorm.renorm:
            raise ValueError("BatchNorm Bijector does not support renormalization.")
        if self.batchnorm.virtual_batch_size:
            raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
        self._training = training
        axis = self.batchnorm.axis
        super().__init__(
            forward_min_event_ndims=1 if isinstance(axis, int) else len(axis),
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Any) -> Any:
        layer = self.batchnorm
        if not layer.built:
            layer.build(x.shape)
        mean, variance = _beside(x, layer, layer.moving_mean), _beside(x, layer, layer.moving_variance)
        offset = _beside(x, layer, layer.beta) if layer.center else None
        scale = _beside(x, layer, layer.gamma) if layer.scale else None
        given = [x, mean, variance, scale, offset]
        with v1.name_scope(None, "undo_batchnorm", given):
            rescale = tf.sqrt(variance + layer.epsilon)
            if scale is not None:
                rescale /= scale
            return x * rescale + (mean if offset is None else mean - offset * rescale)

    def _inverse(self, y: Any) -> Any:
        return self.batchnorm.apply(y, training=self._training)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -self._inverse_log_det_jacobian(x, use_saved_statistics=True)

    def _inverse_log_det_jacobian(self, y: Any, use_saved_statistics: bool = False) -> Any:
        _require_shape(y)
        layer = self.batchnorm
        if not layer.built:
            layer.build(y.shape)
        if use_saved_statistics or not self._training:
            variance = layer.moving_variance
        else:
            axes = [axis for axis in range(y.shape.ndims) if axis not in layer.axis]
            _, variance = v1.nn.moments(y, axes=axes, keepdims=True)
        log_variance = tf.math.log(variance + layer.epsilon)
        return v1.reduce_sum(tf.math.log(layer.gamma)) - 0.5 * v1.reduce_sum(log_variance)


def _require_shape(value: Any) -> None:
    if not value.shape.is_fully_defined():
        raise ValueError("Input must have shape known at graph construction.")


def _beside(x: Any, layer: Any, parameter: Any) -> Any:
    """Returns `parameter`, shaped to broadcast with `x`. If only the last dimension is normalized, it is unchanged."""
    _require_shape(x)
    rank = x.shape.ndims
    reduced = [axis for axis in range(rank) if axis not in layer.axis]
    if parameter.shape.ndims == rank or reduced == list(range(rank - 1)):
        return parameter
    shape = [1] * rank
    shape[layer.axis[0]] = x.shape.as_list()[layer.axis[0]]
    return tf.reshape(parameter, shape)
