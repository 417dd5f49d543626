"""The base class of distributions of x = loc + scale * z, where z has a standard distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Scalars, begin, v1


class LocationScale(Scalars):
    """The base class: `loc`, `scale`, and the density computed from that of the standard distribution."""

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
        """Returns uniform numbers above 0, because 0 has no logarithm."""
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
