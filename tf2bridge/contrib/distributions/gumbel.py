"""The Gumbel distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.location_scale import LocationScale


class _Gumbel(LocationScale):
    """The Gumbel distribution of largest values."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Gumbel"
    ) -> None:
        self._begin(dict(locals()), name)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return -tf.math.log(-tf.math.log(self._uniform(n, seed))) * self.scale + self.loc

    def _log_unnormalized_prob(self, x: Any) -> Any:
        z = self._z(x)
        return -z - tf.exp(-z)

    def _log_cdf(self, x: Any) -> Any:
        return -tf.exp(-self._z(x))

    def _cdf(self, x: Any) -> Any:
        return tf.exp(-tf.exp(-self._z(x)))

    def _entropy(self) -> Any:
        return 1 + tf.math.log(self.scale * tf.ones_like(self.loc)) + np.euler_gamma

    def _mean(self) -> Any:
        return self.loc + self.scale * np.euler_gamma

    def _stddev(self) -> Any:
        return self.scale * tf.ones_like(self.loc) * math.pi / math.sqrt(6)
