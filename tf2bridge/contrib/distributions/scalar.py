"""Distributions of single numbers: logistic, Poisson, and all of the weight at one place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
Distribution: Any = v1.distributions.Distribution


class _OfNumbers(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A distribution whose events are scalars, one for each place of `_parameter`."""

    _parameter: Any

    def _batch_shape_tensor(self) -> Any:
        return v1.shape(self._parameter)

    def _batch_shape(self) -> Any:
        return self._parameter.shape

    def _event_shape_tensor(self) -> Any:
        return tf.constant([], tf.int32)

    def _event_shape(self) -> Any:
        return tf.TensorShape([])


class Logistic(_OfNumbers):
    """The logistic distribution of mean `loc` and standard deviation `scale * pi / sqrt(3)`."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Logistic"
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[loc, scale]) as name:
            with tf.control_dependencies([v1.assert_positive(scale)] if validate_args else []):
                self._loc = tf.identity(loc, name="loc")
                self._scale = tf.identity(scale, name="scale")
            v1.debugging.assert_same_float_dtype([self._loc, self._scale])
        super().__init__(
            dtype=self._scale.dtype,
            reparameterization_type=v1.distributions.FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._loc, self._scale],
            name=name,
        )

    @property
    def loc(self) -> Any:
        """The mean."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale, positive."""
        return self._scale

    def _batch_shape_tensor(self) -> Any:
        return tf.broadcast_dynamic_shape(v1.shape(self.loc), v1.shape(self.scale))

    def _batch_shape(self) -> Any:
        return tf.broadcast_static_shape(self.loc.shape, self.scale.shape)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny  # the logarithm of zero is none
        uniform = v1.random_uniform(shape, minval=tiny, maxval=1.0, dtype=self.dtype, seed=seed)
        return (tf.math.log(uniform) - tf.math.log1p(-uniform)) * self.scale + self.loc

    def _log_prob(self, x: Any) -> Any:
        z = self._standard(x)
        return -z - 2 * tf.nn.softplus(-z) - tf.math.log(self.scale)

    def _log_cdf(self, x: Any) -> Any:
        return -tf.nn.softplus(-self._standard(x))

    def _cdf(self, x: Any) -> Any:
        return tf.sigmoid(self._standard(x))

    def _log_survival_function(self, x: Any) -> Any:
        return -tf.nn.softplus(self._standard(x))

    def _survival_function(self, x: Any) -> Any:
        return tf.sigmoid(-self._standard(x))

    def _entropy(self) -> Any:
        return 2 + tf.math.log(self.scale * tf.ones_like(self.loc))

    def _mean(self) -> Any:
        return self.loc * tf.ones_like(self.scale)

    def _mode(self) -> Any:
        return self._mean()

    def _stddev(self) -> Any:
        return self.scale * tf.ones_like(self.loc) * math.pi / math.sqrt(3)

    def _standard(self, x: Any) -> Any:
        return (x - self.loc) / self.scale


class Poisson(_OfNumbers):
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
        if (rate is None) == (log_rate is None):
            raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
        with v1.name_scope(name, values=[rate]) as name:
            given = tf.convert_to_tensor(log_rate if rate is None else rate)
            if not given.dtype.is_floating:
                raise TypeError(
                    f"{'log_rate' if rate is None else 'rate'}.dtype ({given.dtype.name}) is not a float-type."
                )
            if rate is None:
                self._rate, self._log_rate = tf.exp(given, name="rate"), given
            else:
                with tf.control_dependencies([v1.assert_positive(given)] if validate_args else []):
                    self._rate = tf.identity(given, name="rate")
                self._log_rate = tf.math.log(given, name="log_rate")
        self._parameter = self._rate
        super().__init__(
            dtype=self._rate.dtype,
            reparameterization_type=v1.distributions.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._rate],
            name=name,
        )

    @property
    def rate(self) -> Any:
        """The expected number."""
        return self._rate

    @property
    def log_rate(self) -> Any:
        """Its logarithm."""
        return self._log_rate

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return v1.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        return x * self.log_rate - tf.math.lgamma(1 + x) - self.rate

    def _cdf(self, x: Any) -> Any:
        return tf.math.igammac(1 + x, self.rate)

    def _log_cdf(self, x: Any) -> Any:
        return tf.math.log(self.cdf(x))

    def _mean(self) -> Any:
        return tf.identity(self.rate)

    def _variance(self) -> Any:
        return tf.identity(self.rate)

    def _mode(self) -> Any:
        return tf.floor(self.rate)


class Deterministic(_OfNumbers):
    """All of the weight at `loc`; a value counts as there within `atol + rtol * abs(loc)`."""

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[loc, atol, rtol]) as name:
            self._loc = self._parameter = tf.convert_to_tensor(loc, name="loc")
            self._atol, self._rtol = (
                tf.convert_to_tensor(0 if each is None else each, self._loc.dtype) for each in (atol, rtol)
            )
        super().__init__(
            dtype=self._loc.dtype,
            reparameterization_type=v1.distributions.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._loc],
            name=name,
        )

    @property
    def loc(self) -> Any:
        """The place."""
        return self._loc

    def _sample_n(self, n: Any, seed: Any = None) -> Any:  # noqa: ARG002  # nothing is drawn
        return self.loc + tf.zeros(tf.concat([[n], v1.shape(self.loc)], 0), self.dtype)

    def _prob(self, x: Any) -> Any:
        return tf.cast(tf.abs(x - self.loc) <= self._atol + self._rtol * tf.abs(self.loc), self.dtype)

    def _cdf(self, x: Any) -> Any:
        return tf.cast(x >= self.loc - self._atol - self._rtol * tf.abs(self.loc), self.dtype)

    def _entropy(self) -> Any:
        return tf.zeros(self.batch_shape_tensor(), self.dtype)

    def _mean(self) -> Any:
        return tf.identity(self.loc)

    def _variance(self) -> Any:
        return tf.zeros_like(self.loc)

    def _mode(self) -> Any:
        return self.mean()
