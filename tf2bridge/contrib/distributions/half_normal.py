"""The half normal distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, erfinv, v1


class HalfNormal(Scalars):
    """The distribution of the absolute value of a normal number with mean 0 and standard deviation `scale`."""

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
