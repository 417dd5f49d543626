"""Distributions of whole numbers: binomial, negative binomial, geometric, Poisson."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, checked, util, v1


class _OfTrials(Scalars):
    """A distribution of independent trials, given by `logits` or `probs`."""

    _logits: Any
    _probs: Any

    @property
    def logits(self) -> Any:
        """The log-odds of a success."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probability of a success."""
        return self._probs

    def _parts(self) -> tuple[Any, ...]:
        return (self.probs,)

    def _counted(self, x: Any) -> Any:
        """`x`, checked to be whole numbers of at least zero where arguments are validated."""
        return util.embed_check_nonnegative_integer_form(x) if self.validate_args else x


class Binomial(_OfTrials):
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


class NegativeBinomial(_OfTrials):
    """The number of successes before `total_count` failures have come."""

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


class Geometric(_OfTrials):
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


class Poisson(Scalars):
    """The number of events when `rate`, or exp(`log_rate`), are expected; as floating numbers.

    Raises ValueError unless one of the two is given, TypeError if it is not of floating type.
    """

    def __init__(
        self,
        rate: Any = None,
        log_rate: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Poisson",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            if log_rate is None:
                rate = _floating(rate, "rate")
                with tf.control_dependencies([v1.assert_positive(rate)] if validate_args else []):
                    self._rate = tf.identity(rate, name="rate")
                    self._log_rate = tf.math.log(rate, name="log_rate")
            else:
                self._log_rate = _floating(log_rate, "log_rate")
                self._rate = tf.exp(self._log_rate, name="rate")
        begin(self, parameters, name, self._rate.dtype, [self._rate])

    @property
    def rate(self) -> Any:
        """The expected number."""
        return self._rate

    @property
    def log_rate(self) -> Any:
        """Its logarithm."""
        return self._log_rate

    def _parts(self) -> tuple[Any, ...]:
        return (self.rate,)

    def _checked(self, x: Any) -> Any:
        return util.embed_check_nonnegative_integer_form(x) if self.validate_args else x

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return v1.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        x = self._checked(x)
        return x * self.log_rate - tf.math.lgamma(1.0 + x) - self.rate

    def _cdf(self, x: Any) -> Any:
        return tf.math.igammac(1.0 + self._checked(x), self.rate)

    def _log_cdf(self, x: Any) -> Any:
        return tf.math.log(self.cdf(x))

    def _mean(self) -> Any:
        return tf.identity(self.rate)

    def _variance(self) -> Any:
        return tf.identity(self.rate)

    def _mode(self) -> Any:
        return tf.floor(self.rate)


def _floating(value: Any, name: str) -> Any:
    tensor = tf.convert_to_tensor(value, name=name)
    if not tensor.dtype.is_floating:
        raise TypeError(f"{name}.dtype ({tensor.dtype.name}) is a not a float-type.")
    return tensor
