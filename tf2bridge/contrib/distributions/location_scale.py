"""Distributions of x = loc + scale * standard: logistic, Cauchy, Gumbel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, v1


class _LocationScale(Scalars):
    """What these have in common: `loc`, `scale`, and their density from that of the standard one."""

    _shaped = ("loc", "scale")

    def _begin(self, parameters: dict[str, Any], name: str) -> None:
        loc, scale = parameters["loc"], parameters["scale"]
        with v1.name_scope(name, values=[loc, scale]) as name:
            checks = [v1.assert_positive(scale)] if parameters["validate_args"] else []
            with tf.control_dependencies(checks):
                self._loc = tf.identity(loc, name="loc")
                self._scale = tf.identity(scale, name="scale")
                v1.debugging.assert_same_float_dtype([self._loc, self._scale])
        begin(self, parameters, name, self._scale.dtype, [self._loc, self._scale], reparameterized=True)

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale, positive."""
        return self._scale

    def _parts(self) -> tuple[Any, ...]:
        return self.loc, self.scale

    def _sample_shape(self, n: Any) -> Any:
        return tf.concat([[n], self.batch_shape_tensor()], 0)

    def _uniform(self, n: Any, seed: Any) -> Any:
        """Uniform numbers without zero, which has no logarithm."""
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        return v1.random_uniform(self._sample_shape(n), minval=tiny, maxval=1.0, dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x: Any) -> Any:
        raise NotImplementedError

    def _log_normalization(self) -> Any:
        return tf.math.log(self.scale)

    def _mode(self) -> Any:
        return self.loc * tf.ones_like(self.scale)

    def _z(self, x: Any) -> Any:
        with v1.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale


class Logistic(_LocationScale):
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


class Cauchy(_LocationScale):
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


class _Gumbel(_LocationScale):
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
