"""The Poisson distribution."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, util, v1


class Poisson(Scalars):
    """The Poisson distribution with mean `rate`, or exp(`log_rate`). Values are floating point numbers.

    Raises:
        ValueError: not exactly one of `rate` and `log_rate` is given.
        TypeError: the dtype is not floating.
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
        """The logarithm of the expected number."""
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
