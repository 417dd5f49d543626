"""Batch normalization with the moving variance of TensorFlow 1.x."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


class BatchNormalization(keras.layers.BatchNormalization):  # type: ignore[misc]  # Keras is untyped
    """`keras.layers.BatchNormalization` whose moving variance takes n / (n - 1) times the variance of n numbers.

    FusedBatchNorm of TensorFlow 1.x computes it so; Keras takes the variance itself.
    """

    def call(self, x: Any, training: bool = False) -> Any:
        """Returns the normalized tensor. In training, updates the moving mean and variance."""
        if not training:
            return super().call(x, training=False)
        axis = self.axis % len(x.shape)
        mean, variance = ops.moments(x, [other for other in range(len(x.shape)) if other != axis])
        count = ops.cast(ops.size(x) // x.shape[axis], x.dtype)
        unbiased = variance * (count / ops.maximum(count - 1, 1))
        for moving, new in ((self.moving_mean, mean), (self.moving_variance, unbiased)):
            moving.assign(moving * self.momentum + new * (1 - self.momentum))
        scale, offset = self.gamma, self.beta
        return ops.batch_normalization(x, mean, variance, axis, offset=offset, scale=scale, epsilon=self.epsilon)
