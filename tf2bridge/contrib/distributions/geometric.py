"""The geometric distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import begin, checked, util, v1
from tf2bridge.contrib.distributions.trials import OfTrials


class Geometric(OfTrials):
    """The number of failures before the first success."""

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Geometric",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = util.get_logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with tf.control_dependencies([v1.assert_positive(self._probs)] if validate_args else []):
                self._probs = tf.identity(self._probs, name="probs")
        begin(self, parameters, name, self._probs.dtype, [self._probs, self._logits])

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], v1.shape(self._probs)], 0)
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = v1.random_uniform(shape, minval=tiny, maxval=1.0, seed=seed, dtype=self.dtype)
        return tf.floor(tf.math.log(uniform) / tf.math.log1p(-self.probs))

    def _whole(self, x: Any) -> Any:
        x = self._counted(x) if self.validate_args else tf.floor(x)
        return x * tf.ones_like(self.probs)

    def _cdf(self, x: Any) -> Any:
        x = self._whole(x)
        reached = -tf.math.expm1((1.0 + x) * tf.math.log1p(-self.probs))
        return v1.where(x < 0.0, tf.zeros_like(x), reached)

    def _log_prob(self, x: Any) -> Any:
        x = self._whole(x)
        probs = self.probs * tf.ones_like(x)
        safe = v1.where(tf.equal(x, 0.0), tf.zeros_like(probs), probs)
        return x * tf.math.log1p(-safe) + tf.math.log(probs)

    def _entropy(self) -> Any:
        probs = self._probs
        if self.validate_args:
            message = "Entropy is undefined when logits = inf or probs = 1."
            probs = checked(probs, [v1.assert_less(probs, tf.constant(1.0, probs.dtype), message=message)])
        return tf.nn.softplus(self.logits) / probs - self.logits

    def _mean(self) -> Any:
        return tf.exp(-self.logits)

    def _variance(self) -> Any:
        return self._mean() / self.probs

    def _mode(self) -> Any:
        return tf.zeros(self.batch_shape_tensor(), dtype=self.dtype)
