"""Continuous relaxations of categories as vectors with a single one (https://arxiv.org/abs/1611.00712)."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.contrib.distributions import bijectors
from tf2bridge.contrib.distributions.core import begin, v1
from tf2bridge.contrib.distributions.onehot_categorical import OverCategories
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution


class ExpRelaxedOneHotCategorical(OverCategories):
    """The relaxed distribution in logarithms, which is more stable: the exponentials of a vector add up to 1.

    Near temperature 0 the exponentials are one-hot.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[logits, probs, temperature]) as name:
            self._take(logits, probs, validate_args, name)
            if dtype is None:
                dtype = self._logits.dtype
                if not validate_args:
                    temperature = tf.cast(temperature, dtype)
            with tf.control_dependencies([v1.assert_positive(temperature)] if validate_args else []):
                self._temperature = tf.identity(temperature, name="temperature")
                self._temperature_2d = tf.reshape(temperature, [-1, 1], name="temperature_2d")
            self._measure()
        parents = [self._logits, self._probs, self._temperature]
        begin(self, parameters, name, dtype, parents, reparameterized=True)

    @property
    def temperature(self) -> Any:
        """The temperature, a scalar or of the shape of a batch."""
        return self._temperature

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], v1.shape(self.logits)], 0)
        rows = tf.reshape(self.logits * tf.ones(shape, dtype=self.dtype), [-1, self.event_size])
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = v1.random_uniform(v1.shape(rows), minval=tiny, maxval=1.0, dtype=self.dtype, seed=seed)
        gumbel = -tf.math.log(-tf.math.log(uniform))
        noisy = v1.div(gumbel + rows, self._temperature_2d)
        return tf.reshape(tf.nn.log_softmax(noisy), shape)

    def _log_prob(self, x: Any) -> Any:
        shape, logits, values = self._rows(x)
        size = tf.cast(self.event_size, values.dtype)
        normalization = tf.math.lgamma(size) + (size - 1.0) * tf.math.log(self.temperature)
        scores = tf.nn.log_softmax(logits - values * self._temperature_2d)
        return tf.reshape(normalization + v1.reduce_sum(scores, axis=[-1]), shape)


class RelaxedOneHotCategorical(TransformedDistribution):
    """The relaxed distribution: vectors of positive numbers that add up to one."""

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:
        logarithm = ExpRelaxedOneHotCategorical(
            temperature,
            logits=logits,
            probs=probs,
            dtype=dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
        )
        rank = {"event_ndims": 1} if before(1, 5) else {}
        super().__init__(logarithm, bijectors.Exp(**rank), name=name)
