"""Distributions of positive numbers: half normal, inverse gamma, chi-squared."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, checked, erfinv, not_a_number, v1

Gamma: Any = v1.distributions.Gamma


class HalfNormal(Scalars):
    """The absolute value of a normal number of mean 0 and standard deviation `scale`."""

    _shaped = ("scale",)

    def __init__(
        self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "HalfNormal"
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[scale]) as name:
            checks = [v1.assert_positive(scale)] if validate_args else []
            with tf.control_dependencies(checks):
                self._scale = tf.identity(scale, name="scale")
        begin(self, parameters, name, self._scale.dtype, [self._scale], reparameterized=True)

    @property
    def scale(self) -> Any:
        """The standard deviation of the normal numbers."""
        return self._scale

    def _parts(self) -> tuple[Any, ...]:
        return (self.scale,)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        return tf.abs(v1.random_normal(shape, mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed) * self.scale)

    def _prob(self, x: Any) -> Any:
        height = np.sqrt(2) / self.scale / np.sqrt(np.pi)
        return height * tf.exp(-0.5 * (x / self.scale) ** 2) * tf.cast(x >= 0, self.dtype)

    def _cdf(self, x: Any) -> Any:
        return tf.math.erf(tf.nn.relu(x) / self.scale / np.sqrt(2.0))

    def _entropy(self) -> Any:
        return 0.5 * tf.math.log(np.pi * self.scale**2.0 / 2.0) + 0.5

    def _mean(self) -> Any:
        return self.scale * np.sqrt(2.0) / np.sqrt(np.pi)

    def _quantile(self, p: Any) -> Any:
        return np.sqrt(2.0) * self.scale * erfinv(p)

    def _mode(self) -> Any:
        return tf.zeros(self.batch_shape_tensor())

    def _variance(self) -> Any:
        return self.scale**2.0 * (1.0 - 2.0 / np.pi)


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
    """The one of `softplus(concentration)` and `softplus(rate)`."""

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


class Chi2(Gamma):  # type: ignore[misc]  # TensorFlow has no types
    """The sum of the squares of `df` standard normal numbers."""

    def __init__(self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2") -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[df]) as name:
            with tf.control_dependencies([v1.assert_positive(df)] if validate_args else []):
                self._df = tf.identity(df, name="df")
            super().__init__(
                concentration=0.5 * self._df,
                rate=tf.constant(0.5, dtype=self._df.dtype),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {"df": tf.convert_to_tensor(sample_shape, dtype=tf.int32)}

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self._df


class Chi2WithAbsDf(Chi2):
    """The one of `floor(abs(df))` degrees of freedom."""

    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf"
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[df]) as name:
            super().__init__(
                df=tf.floor(tf.abs(df, name="abs_df"), name="floor_abs_df"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters
