"""Results of distributions that 0.12 computed in another way than 1.x."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.v0.old_distributions.methods import OldMethods

v1 = tf.compat.v1


class CovarianceAsVariance(OldMethods):
    """The variance of a vector was its covariance matrix."""

    def variance(self, name: str = "variance") -> Any:
        """Returns the covariance, [batch, k, k]."""
        return self.covariance(name=name)

    def std(self, name: str = "std") -> Any:
        """Returns the square root of each number of the covariance, [batch, k, k]."""
        return tf.sqrt(self.covariance(), name=name)


class GammaMode(OldMethods):
    """A mode was there for a shape parameter of exactly 1, too."""

    def _mode(self) -> Any:
        if not self.allow_nan_stats:
            return super()._mode()
        mode = (self.concentration - 1.0) / self.rate
        missing = tf.fill(self.batch_shape_tensor(), tf.constant(float("nan"), self.dtype))
        return v1.where(self.concentration >= v1.ones_like(mode), mode, missing)


class CategoricalEntropy(OldMethods):
    """The entropy was a cross entropy, whose gradient takes the labels, here the probabilities, for constants."""

    def _entropy(self) -> Any:
        labels = tf.nn.softmax(self.logits)
        return v1.nn.softmax_cross_entropy_with_logits(logits=self.logits, labels=labels)


class NormalVectors(OldMethods):
    """Draws were made as [batch, k, n], so that one seed gives the numbers of a draw in another order."""

    def _call_sample_n(self, sample_shape: Any, seed: int | None, name: str, **conditions: Any) -> Any:
        del conditions
        with self._name_scope(name, values=[sample_shape]):
            sample_shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
            sample_shape, n = self._expand_sample_shape_to_vector(sample_shape, "sample_shape")
            shape = tf.concat([self.batch_shape_tensor(), self.event_shape_tensor(), [n]], 0)
            drawn = self.scale.matmul(v1.random_normal(shape, dtype=self.dtype, seed=seed))
            rank = tf.rank(drawn)
            drawn = tf.transpose(drawn, tf.concat([[rank - 1], tf.range(rank - 1)], 0)) + self.loc
            drawn = tf.reshape(drawn, tf.concat([sample_shape, v1.shape(drawn)[1:]], 0))
            return self._set_sample_static_shape(drawn, sample_shape)
