"""The Kumaraswamy distribution."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.bijectors import parametric
from tf2bridge.contrib.distributions.core import checked, not_a_number, v1
from tf2bridge.contrib.distributions.sinh_arcsinh import get_broadcast_shape
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution

kinds: Any = v1.distributions


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on [0, 1], P(X <= x) = 1 - (1 - x ** concentration1) ** concentration0."""

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Kumaraswamy",
    ) -> None:
        with v1.name_scope(name, values=[concentration1, concentration0]) as name:
            concentration1 = tf.convert_to_tensor(concentration1, name="concentration1")
            concentration0 = tf.convert_to_tensor(concentration0, name="concentration0")
        dtype = concentration1.dtype
        super().__init__(
            distribution=kinds.Uniform(
                low=tf.zeros([], dtype=dtype), high=tf.ones([], dtype=dtype), allow_nan_stats=allow_nan_stats
            ),
            bijector=parametric.Kumaraswamy(concentration1, concentration0, validate_args=validate_args),
            batch_shape=get_broadcast_shape(concentration1, concentration0),
            name=name,
        )
        self._reparameterization_type = kinds.FULLY_REPARAMETERIZED

    @property
    def concentration1(self) -> Any:
        """The first exponent, positive."""
        return self.bijector.concentration1

    @property
    def concentration0(self) -> Any:
        """The second exponent, positive."""
        return self.bijector.concentration0

    def _entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        unit = tf.ones([], dtype=b.dtype)
        harmonic = tf.math.digamma(b + unit) - tf.math.digamma(unit)
        return 1 - 1.0 / a + (1 - 1.0 / b) * harmonic + tf.math.log(a) + tf.math.log(b)

    def _moment(self, n: int) -> Any:
        """Returns E(X ** n) = concentration0 * B(1 + n / concentration1, concentration0), B the beta function."""
        total = self.concentration1 + self.concentration0
        a = tf.ones_like(total, dtype=self.dtype) * self.concentration1
        b = tf.ones_like(total, dtype=self.dtype) * self.concentration0
        return tf.exp(tf.math.log(b) + tf.math.lbeta(tf.stack([1 + n / a, b], -1)))

    def _mean(self) -> Any:
        return self._moment(1)

    def _variance(self) -> Any:
        return self._moment(2) - tf.square(self._moment(1))

    def _mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        mode = ((a - 1) / (a * b - 1)) ** (1.0 / a)
        if self.allow_nan_stats:
            nan = not_a_number(self)
            return tf.where((a > 1.0) & (b > 1.0), mode, nan)
        checks = [
            v1.assert_less(tf.ones([], dtype=a.dtype), a, message="Mode undefined for concentration1 <= 1."),
            v1.assert_less(tf.ones([], dtype=b.dtype), b, message="Mode undefined for concentration0 <= 1."),
        ]
        return checked(mode, checks)
