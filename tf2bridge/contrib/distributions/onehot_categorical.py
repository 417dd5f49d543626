"""Categories as vectors with a single one."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, checked, register_kl, util, v1


class OverCategories(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A distribution of vectors [..., k], given by k logits or by k probabilities."""

    def _take(self, logits: Any, probs: Any, validate_args: bool, name: str) -> None:
        self._logits, self._probs = util.get_logits_and_probs(
            name=name, logits=logits, probs=probs, validate_args=validate_args, multidimensional=True
        )

    def _measure(self) -> None:
        rank = self._logits.shape.with_rank_at_least(1).ndims
        if rank is not None:
            self._batch_rank = tf.convert_to_tensor(rank - 1, dtype=tf.int32, name="batch_rank")
        else:
            with v1.name_scope("batch_rank"):
                self._batch_rank = tf.rank(self._logits) - 1
        with v1.name_scope("event_size"):
            self._event_size = v1.shape(self._logits)[-1]

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

    def _rows(self, x: Any) -> tuple[Any, Any, Any]:
        """Returns the shape of a result, the logits, and `x`, the latter two as [rows, k]."""
        x, logits = self._log_simplex(x), self.logits
        known = x.shape.is_fully_defined() and logits.shape.is_fully_defined()
        if not known or x.shape != logits.shape:
            logits = tf.ones_like(x, dtype=logits.dtype) * logits
            x = tf.ones_like(logits, dtype=x.dtype) * x
        shape = v1.shape(v1.reduce_sum(logits, axis=[-1]))
        return shape, tf.reshape(logits, [-1, self.event_size]), tf.reshape(x, [-1, self.event_size])

    def _log_simplex(self, x: Any) -> Any:
        """Returns `x`. With `validate_args`, checks that its exponentials add up to 1."""
        if not self.validate_args:
            return x
        zero, total = tf.zeros([], dtype=self.dtype), v1.reduce_logsumexp(x, axis=[-1])
        return checked(x, [v1.debugging.assert_non_positive(x), v1.debugging.assert_near(zero, total)])


class OneHotCategorical(OverCategories):
    """The distribution of one-hot vectors of `dtype`: 1 at the drawn category."""

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
            self._measure()
        begin(self, parameters, name, dtype, [self._logits, self._probs])

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], v1.shape(self.logits)], 0)
        rows = self.logits if self.logits.shape.ndims == 2 else tf.reshape(self.logits, [-1, self.event_size])
        drawn = tf.transpose(v1.multinomial(rows, n, seed=seed))
        return tf.reshape(tf.one_hot(drawn, self.event_size, dtype=self.dtype), shape)

    def _log_prob(self, x: Any) -> Any:
        shape, logits, labels = self._rows(x)
        entropy = v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return tf.reshape(-entropy, shape)

    def _entropy(self) -> Any:
        return -v1.reduce_sum(tf.nn.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Any:
        mode = tf.one_hot(v1.argmax(self.logits, axis=self._batch_rank), self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.shape)
        return mode

    def _variance(self) -> Any:
        return self.probs * (1.0 - self.probs)

    def _covariance(self) -> Any:
        products = -tf.matmul(self.probs[..., None], self.probs[..., None, :])
        return tf.linalg.set_diag(products, self._variance())


@register_kl(OneHotCategorical, OneHotCategorical)  # type: ignore[untyped-decorator]
def _divergence(a: Any, b: Any, name: str | None = None) -> Any:
    with v1.name_scope(name, "kl_categorical_categorical", [a.logits, b.logits]):
        ratio = tf.nn.log_softmax(a.logits) - tf.nn.log_softmax(b.logits)
        return v1.reduce_sum(tf.nn.softmax(a.logits) * ratio, axis=-1)
