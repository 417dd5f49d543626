"""The negative binomial distribution."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import begin, util, v1
from tf2bridge.contrib.distributions.trials import OfTrials


class NegativeBinomial(OfTrials):
    """The number of successes before the `total_count`-th failure."""

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NegativeBinomial",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = util.get_logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with tf.control_dependencies([v1.assert_positive(total_count)] if validate_args else []):
                self._total_count = tf.identity(total_count)
        begin(self, parameters, name, self._probs.dtype, [self._total_count, self._probs, self._logits])

    @property
    def total_count(self) -> Any:
        """The number of failures at which the trials end."""
        return self._total_count

    def _parts(self) -> tuple[Any, ...]:
        return self.total_count, self.probs

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        rate = v1.random_gamma([n], self.total_count, beta=tf.exp(-self.logits), dtype=self.dtype, seed=seed)
        return v1.random_poisson(rate, [], dtype=self.dtype, seed=util.gen_new_seed(seed, "negative_binom"))

    def _cdf(self, x: Any) -> Any:
        return tf.math.betainc(self.total_count, 1.0 + self._counted(x), tf.sigmoid(-self.logits))

    def _log_prob(self, x: Any) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x: Any) -> Any:
        x = self._counted(x)
        return self.total_count * tf.math.log_sigmoid(-self.logits) + x * tf.math.log_sigmoid(self.logits)

    def _log_normalization(self, x: Any) -> Any:
        x = self._counted(x)
        lgamma = tf.math.lgamma
        return -lgamma(self.total_count + x) + lgamma(1.0 + x) + lgamma(self.total_count)

    def _mean(self) -> Any:
        return self.total_count * tf.exp(self.logits)

    def _mode(self) -> Any:
        adjusted = tf.where(self.total_count > 1.0, self.total_count - 1.0, tf.zeros_like(self.total_count))
        return tf.floor(adjusted * tf.exp(self.logits))

    def _variance(self) -> Any:
        return self._mean() / tf.sigmoid(-self.logits)
