"""The logistic distribution."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.location_scale import LocationScale


class Logistic(LocationScale):
    """The logistic distribution of mean `loc` and standard deviation `scale * pi / sqrt(3)`."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Logistic"
    ) -> None:
        self._begin(dict(locals()), name)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        uniform = self._uniform(n, seed)
        return (tf.math.log(uniform) - tf.math.log1p(-1.0 * uniform)) * self.scale + self.loc

    def _log_unnormalized_prob(self, x: Any) -> Any:
        z = self._z(x)
        return -z - 2.0 * tf.nn.softplus(-z)

    def _log_cdf(self, x: Any) -> Any:
        return -tf.nn.softplus(-self._z(x))

    def _cdf(self, x: Any) -> Any:
        return tf.sigmoid(self._z(x))

    def _log_survival_function(self, x: Any) -> Any:
        return -tf.nn.softplus(self._z(x))

    def _survival_function(self, x: Any) -> Any:
        return tf.sigmoid(-self._z(x))

    def _entropy(self) -> Any:
        return 2 + tf.math.log(self.scale * tf.ones_like(self.loc))

    def _mean(self) -> Any:
        return self._mode()

    def _stddev(self) -> Any:
        return self.scale * tf.ones_like(self.loc) * math.pi / math.sqrt(3)
