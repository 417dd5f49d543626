"""Batch normalization with the moving variance of TensorFlow 1.x."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


class BatchNormalization(keras.layers.BatchNormalization):  # type: ignore[misc]  # Keras is untyped
    """`keras.layers.BatchNormalization` whose moving variance takes n / (n - 1) times the variance of n numbers.

    FusedBatchNorm of TensorFlow 1.x computes it so; Keras takes the variance itself. With the momentum 1.0, the moving
    mean and variance stay as they are.
    """

    def call(self, x: Any, training: Any = False) -> Any:
        """Returns the normalized tensor. In training, updates the moving mean and variance.

        Args:
            x: The tensor.
            training: True or False, or a tensor of one truth value.
        """
        average = super().call
        return ops.cond(training, lambda: self._by_batch(x), lambda: average(x, training=False))

    def _by_batch(self, x: Any) -> Any:
        axis = self.axis % len(x.shape)
        mean, variance = ops.moments(x, [other for other in range(len(x.shape)) if other != axis])
        if self.momentum < 1:
            count = ops.cast(ops.size(x) // x.shape[axis], x.dtype)
            unbiased = variance * (count / ops.maximum(count - 1, 1))
            for moving, new in ((self.moving_mean, mean), (self.moving_variance, unbiased)):
                moving.assign(moving * self.momentum + new * (1 - self.momentum))
        scale, offset = self.gamma, self.beta
        return ops.batch_normalization(x, mean, variance, axis, offset=offset, scale=scale, epsilon=self.epsilon)
