"""Categories as vectors with a single one, and their continuous relaxations (https://arxiv.org/abs/1611.00712)."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.ops.distributions import util

v1 = tf.compat.v1
Distribution: Any = v1.distributions.Distribution


class _OverCategories(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A distribution of vectors [..., k], of k logits or probabilities, of which one is given."""

    def _take(self, logits: Any, probs: Any, validate_args: bool, name: str) -> None:
        self._logits, self._probs = util.get_logits_and_probs(
            name=name, logits=logits, probs=probs, validate_args=validate_args, multidimensional=True
        )
        self._event_size = v1.shape(self._logits, name="event_size")[-1]

    @property
    def event_size(self) -> Any:
        """The number of categories, a scalar tensor."""
        return self._event_size

    @property
    def logits(self) -> Any:
        """Unnormalized log probabilities, [..., k]."""
        return self._logits

    @property
    def probs(self) -> Any:
        """Probabilities, [..., k]."""
        return self._probs

    def _batch_shape_tensor(self) -> Any:
        return v1.shape(self.logits)[:-1]

    def _batch_shape(self) -> Any:
        return self.logits.shape[:-1]

    def _event_shape_tensor(self) -> Any:
        return v1.shape(self.logits)[-1:]

    def _event_shape(self) -> Any:
        return self.logits.shape.with_rank_at_least(1)[-1:]


class OneHotCategorical(_OverCategories):
    """The distribution of vectors with a one at the category that was drawn, of `dtype`."""

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = tf.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[logits, probs]) as name:
            self._take(logits, probs, validate_args, name)
        super().__init__(
            dtype=dtype,
            reparameterization_type=v1.distributions.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs],
            name=name,
        )

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], v1.shape(self.logits)], 0)
        rows = self.logits if self.logits.shape.ndims == 2 else tf.reshape(self.logits, [-1, self.event_size])
        drawn = tf.transpose(v1.multinomial(rows, n, seed=seed))
        return tf.reshape(tf.one_hot(drawn, self.event_size, dtype=self.dtype), shape)

    def _log_prob(self, x: Any) -> Any:
        x = tf.cast(x, self.logits.dtype)
        return v1.reduce_sum(x * tf.nn.log_softmax(self.logits), axis=-1)

    def _entropy(self) -> Any:
        return -v1.reduce_sum(tf.nn.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Any:
        mode = tf.one_hot(tf.argmax(self.logits, axis=-1), self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.shape)
        return mode

    def _mean(self) -> Any:
        return tf.identity(self.probs)

    def _variance(self) -> Any:
        return self.probs * (1 - self.probs)

    def _covariance(self) -> Any:
        products = -tf.matmul(self.probs[..., None], self.probs[..., None, :])
        return tf.linalg.set_diag(products, self._variance())


@v1.distributions.RegisterKL(OneHotCategorical, OneHotCategorical)  # type: ignore[untyped-decorator]
def _divergence(a: Any, b: Any, name: str | None = None) -> Any:
    with v1.name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        ratio = tf.nn.log_softmax(a.logits) - tf.nn.log_softmax(b.logits)
        return v1.reduce_sum(tf.nn.softmax(a.logits) * ratio, axis=-1)


class ExpRelaxedOneHotCategorical(_OverCategories):
    """The logarithm of the relaxed distribution, the more stable one: vectors whose exponentials add up to one.

    Near temperature 0 they are one-hot.
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
                temperature = tf.cast(temperature, dtype)
            with tf.control_dependencies([v1.assert_positive(temperature)] if validate_args else []):
                self._temperature = tf.identity(temperature, name="temperature")
        super().__init__(
            dtype=dtype,
            reparameterization_type=v1.distributions.FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs, self._temperature],
            name=name,
        )

    @property
    def temperature(self) -> Any:
        """The temperature, a scalar or of the shape of a batch."""
        return self._temperature

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], v1.shape(self.logits)], 0)
        rows = tf.reshape(self.logits * tf.ones(shape, self.dtype), [-1, self.event_size])
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = v1.random_uniform(v1.shape(rows), minval=tiny, maxval=1.0, dtype=self.dtype, seed=seed)
        noisy = (rows - tf.math.log(-tf.math.log(uniform))) / tf.reshape(self.temperature, [-1, 1])
        return tf.reshape(tf.nn.log_softmax(noisy), shape)

    def _log_prob(self, x: Any) -> Any:
        logits = self.logits * tf.ones_like(x, dtype=self.dtype)
        size = tf.cast(self.event_size, self.dtype)
        normalization = tf.math.lgamma(size) + (size - 1) * tf.math.log(self.temperature)
        scores = tf.nn.log_softmax(logits - x * self.temperature[..., None])
        return v1.reduce_sum(scores, axis=-1) + normalization


class RelaxedOneHotCategorical(ExpRelaxedOneHotCategorical):
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
        super().__init__(temperature, logits, probs, dtype, validate_args, allow_nan_stats, name)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return tf.exp(super()._sample_n(n, seed))

    def _log_prob(self, x: Any) -> Any:
        log_x = tf.math.log(x)
        return super()._log_prob(log_x) - v1.reduce_sum(log_x, axis=-1)
