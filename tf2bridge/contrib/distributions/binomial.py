"""The binomial distribution."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import begin, checked, util, v1
from tf2bridge.contrib.distributions.trials import OfTrials


class Binomial(OfTrials):
    """The number of successes in `total_count` trials. It cannot be sampled, as in TensorFlow 1."""

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Binomial",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = _whole(tf.convert_to_tensor(total_count, name="total_count"), validate_args)
            self._logits, self._probs = util.get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
        begin(self, parameters, name, self._probs.dtype, [self._total_count, self._logits, self._probs])

    @property
    def total_count(self) -> Any:
        """The number of trials."""
        return self._total_count

    def _parts(self) -> tuple[Any, ...]:
        return self.total_count, self.probs

    def _log_prob(self, counts: Any) -> Any:
        unnormalized = self._possible(counts)
        failures = self.total_count - unnormalized
        weight = unnormalized * tf.math.log(self.probs) + failures * tf.math.log1p(-self.probs)
        return weight - self._log_normalization(counts)

    def _log_normalization(self, counts: Any) -> Any:
        counts = self._possible(counts)
        factorials = tf.math.lgamma(1.0 + self.total_count - counts) + tf.math.lgamma(1.0 + counts)
        return factorials - tf.math.lgamma(1.0 + self.total_count)

    def _prob(self, counts: Any) -> Any:
        return tf.exp(self._log_prob(counts))

    def _cdf(self, counts: Any) -> Any:
        counts, probs = self._possible(counts), self.probs
        known = counts.shape.is_fully_defined() and probs.shape.is_fully_defined()
        if not (known and counts.shape.is_compatible_with(probs.shape)):
            probs += tf.zeros_like(counts)
            counts += tf.zeros_like(self.probs)
        ones, all_of_them = tf.ones_like(self.total_count - counts), tf.equal(counts, self.total_count)
        failures = tf.where(all_of_them, ones, self.total_count - counts)
        return tf.where(all_of_them, ones, tf.math.betainc(failures, counts + 1, 1 - probs))

    def _mean(self) -> Any:
        return self.total_count * self.probs

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Any:
        return tf.floor((1.0 + self.total_count) * self.probs)

    def _possible(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        counts = self._counted(counts)
        message = "counts are not less than or equal to n."
        return checked(counts, [v1.assert_less_equal(counts, self.total_count, message=message)])


def _whole(total_count: Any, validate_args: bool) -> Any:
    if not validate_args:
        return total_count
    checks = [
        v1.assert_non_negative(total_count, message="total_count must be non-negative."),
        util.assert_integer_form(total_count, message="total_count cannot contain fractional components."),
    ]
    return checked(total_count, checks)
