"""The inverse gamma distribution."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, checked, not_a_number, v1


class InverseGamma(Scalars):
    """The distribution of 1 / g, where g has the gamma distribution of `concentration` and `rate`."""

    _shaped = ("concentration", "rate")

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGamma",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[concentration, rate]) as name:
            checks = [v1.assert_positive(concentration), v1.assert_positive(rate)] if validate_args else []
            with tf.control_dependencies(checks):
                self._concentration = tf.identity(concentration, name="concentration")
                self._rate = tf.identity(rate, name="rate")
                v1.debugging.assert_same_float_dtype([self._concentration, self._rate])
        begin(self, parameters, name, self._concentration.dtype, [self._concentration, self._rate])

    @property
    def concentration(self) -> Any:
        """The shape of the gamma distribution."""
        return self._concentration

    @property
    def rate(self) -> Any:
        """The rate of the gamma distribution."""
        return self._rate

    def _parts(self) -> tuple[Any, ...]:
        return self.concentration, self.rate

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return 1.0 / v1.random_gamma([n], self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x: Any) -> Any:
        x = self._positive(x)
        return -(1.0 + self.concentration) * tf.math.log(x) - self.rate / x

    def _log_normalization(self) -> Any:
        return tf.math.lgamma(self.concentration) - self.concentration * tf.math.log(self.rate)

    def _cdf(self, x: Any) -> Any:
        return tf.math.igammac(self.concentration, self.rate / self._positive(x))

    def _entropy(self) -> Any:
        alpha = self.concentration
        known = alpha + tf.math.log(self.rate) + tf.math.lgamma(alpha)
        return known - (1.0 + alpha) * tf.math.digamma(alpha)

    def _mean(self) -> Any:
        mean = self.rate / (self.concentration - 1.0)
        if self.allow_nan_stats:
            return tf.where(self.concentration > 1.0, mean, not_a_number(self))
        message = "mean undefined when any concentration <= 1"
        return checked(mean, [v1.assert_less(tf.ones([], self.dtype), self.concentration, message=message)])

    def _variance(self) -> Any:
        alpha = self.concentration
        variance = tf.square(self.rate) / tf.math.squared_difference(alpha, 1.0) / (alpha - 2.0)
        if self.allow_nan_stats:
            return tf.where(alpha > 2.0, variance, not_a_number(self))
        message = "variance undefined when any concentration <= 2"
        return checked(variance, [v1.assert_less(tf.constant(2.0, self.dtype), alpha, message=message)])

    def _mode(self) -> Any:
        return self.rate / (1.0 + self.concentration)

    def _positive(self, x: Any) -> Any:
        v1.debugging.assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        return checked(x, [v1.assert_positive(x)]) if self.validate_args else x


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """The inverse gamma distribution of `softplus(concentration)` and `softplus(rate)`."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[concentration, rate]) as name:
            super().__init__(
                concentration=tf.nn.softplus(concentration, name="softplus_concentration"),
                rate=tf.nn.softplus(rate, name="softplus_rate"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters
