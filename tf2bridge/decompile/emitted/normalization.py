"""Batch normalization with the moving variance of TensorFlow 1.x."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


class BatchNormalization(keras.layers.BatchNormalization):  # type: ignore[misc]  # Keras is untyped
    """`keras.layers.BatchNormalization` whose moving variance takes n / (n - 1) times the variance of n numbers.

    FusedBatchNorm of TensorFlow 1.x computes it so; Keras takes the variance itself, and so does this layer with
    `fused=False`. With the momentum 1.0, the moving mean and variance stay as they are. With `averages_train=True`,
    they are trainable, as where a graph has them among its trainable variables.
    """

    def __init__(self, *, fused: bool = True, averages_train: bool = False, **options: Any) -> None:
        """Makes the layer; `options` are those of `keras.layers.BatchNormalization`."""
        super().__init__(**options)
        self.fused = fused
        self._averages_train = averages_train

    def add_weight(self, *arguments: Any, trainable: bool = True, **options: Any) -> Any:
        """Adds a variable of the layer."""
        return super().add_weight(*arguments, trainable=trainable or self._averages_train, **options)

    def call(self, x: Any, training: Any = False) -> Any:
        """Returns the normalized tensor. In training, updates the moving mean and variance.

        Args:
            x: The tensor.
            training: True or False, or a tensor of one truth value.
        """
        average = super().call
        moving = [self.moving_mean, self.moving_variance]
        y, *averages = ops.cond(
            training,
            lambda: self._by_batch(x),
            lambda: [average(x, training=False), *map(ops.convert_to_tensor, moving)],
        )
        if self.momentum < 1 and training is not False:
            for variable, new in zip(moving, averages, strict=True):
                variable.assign(new)
        return y

    def _by_batch(self, x: Any) -> list[Any]:
        """Returns the tensor normalized by the batch, and the new moving mean and variance."""
        axis = self.axis % len(x.shape)
        by_tensorflow = keras.backend.backend() == "tensorflow"
        if self.fused and by_tensorflow and x.dtype.name == "float32" and len(x.shape) == 4 and axis == 3:
            y, mean, unbiased = self._fused(x)
        else:
            mean, variance = ops.moments(x, [other for other in range(len(x.shape)) if other != axis])
            count = ops.cast(ops.size(x) // x.shape[axis], x.dtype)
            unbiased = variance * (count / ops.maximum(count - 1, 1)) if self.fused else variance
            scale, offset = self.gamma, self.beta
            y = ops.batch_normalization(x, mean, variance, axis, offset=offset, scale=scale, epsilon=self.epsilon)
        averages = [
            moving - (moving - new) * (1 - self.momentum)
            for moving, new in ((self.moving_mean, mean), (self.moving_variance, unbiased))
        ]
        return [y, *averages]

    def _fused(self, x: Any) -> Any:
        """Returns images normalized by the batch, and its moments, by the operation of TensorFlow 1.x.

        Its sums are rounded in another order than those of `keras.ops.moments`.
        """
        import tensorflow as tf

        scale = tf.ones([x.shape[-1]]) if self.gamma is None else tf.convert_to_tensor(self.gamma)
        offset = tf.zeros([x.shape[-1]]) if self.beta is None else tf.convert_to_tensor(self.beta)
        empty = tf.zeros([0])
        return tf.raw_ops.FusedBatchNormV3(
            x=x, scale=scale, offset=offset, mean=empty, variance=empty, epsilon=self.epsilon, is_training=True
        )[:3]
