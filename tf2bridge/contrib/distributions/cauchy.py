"""The Cauchy distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import v1
from tf2bridge.contrib.distributions.location_scale import LocationScale


class Cauchy(LocationScale):
    """The Cauchy distribution: it has neither a mean nor a variance."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Cauchy"
    ) -> None:
        self._begin(dict(locals()), name)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = self._sample_shape(n)
        return self._quantile(v1.random_uniform(shape, minval=0.0, maxval=1.0, dtype=self.dtype, seed=seed))

    def _log_unnormalized_prob(self, x: Any) -> Any:
        return -tf.math.log1p(tf.square(self._z(x)))

    def _log_normalization(self) -> Any:
        return np.log(np.pi) + tf.math.log(self.scale)

    def _cdf(self, x: Any) -> Any:
        return tf.atan(self._z(x)) / np.pi + 0.5

    def _log_cdf(self, x: Any) -> Any:
        return tf.math.log1p(2 / np.pi * tf.atan(self._z(x))) - np.log(2)

    def _entropy(self) -> Any:
        return (np.log(4 * np.pi) + tf.math.log(self.scale)) * tf.ones_like(self.loc)

    def _quantile(self, p: Any) -> Any:
        return self.loc + self.scale * tf.tan(np.pi * (p - 0.5))

    def _mean(self) -> Any:
        return self._undefined("mean")

    def _stddev(self) -> Any:
        return self._undefined("stddev")

    def _undefined(self, statistic: str) -> Any:
        if not self.allow_nan_stats:
            raise ValueError(f"`{statistic}` is undefined for Cauchy distribution.")
        return tf.fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(np.nan))
