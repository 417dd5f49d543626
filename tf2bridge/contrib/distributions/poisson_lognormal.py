"""The Poisson distribution of a log-normal rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, joined, optional, util, v1
from tf2bridge.contrib.distributions.poisson import Poisson
from tf2bridge.contrib.distributions.quadratures import quadrature_scheme_lognormal_quantiles

Categorical: Any = v1.distributions.Categorical


class PoissonLogNormalQuadratureCompound(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """The Poisson distribution with a log-normal rate, approximated by a mixture of `quadrature_size` components.

    `quadrature_fn` returns the grid of logarithms of rates, [..., n], and their weights, [n].
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        quadrature_size: int = 8,
        quadrature_fn: Callable[..., Any] = quadrature_scheme_lognormal_quantiles,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "PoissonLogNormalQuadratureCompound",
    ) -> None:
        parameters = dict(locals())
        options: dict[str, Any] = {"validate_args": validate_args, "allow_nan_stats": allow_nan_stats}
        with v1.name_scope(name, values=[loc, scale]) as name:
            self._loc = optional(loc, "loc")
            self._scale = optional(scale, "scale", None if loc is None else self._loc.dtype)
            grid, probs = quadrature_fn(self._loc, self._scale, quadrature_size, validate_args)
            if grid.dtype.base_dtype != probs.dtype.base_dtype:
                raise TypeError(
                    f"Quadrature grid dtype ({grid.dtype.name}) does not match quadrature probs dtype "
                    f"({probs.dtype.name})."
                )
            self._distribution = Poisson(log_rate=grid, **options)
            self._mixture_distribution = Categorical(logits=tf.math.log(probs), **options)
            self._quadrature_size = quadrature_size
            begin(self, parameters, name, grid.dtype, [self._loc, self._scale])

    @property
    def mixture_distribution(self) -> Any:
        """The Categorical over the points of the grid."""
        return self._mixture_distribution

    @property
    def distribution(self) -> Any:
        """The Poisson distributions of the points of the grid, along the last dimension of its batches."""
        return self._distribution

    @property
    def loc(self) -> Any:
        """The mean of the logarithm of the rate."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The standard deviation of the logarithm of the rate."""
        return self._scale

    @property
    def quadrature_size(self) -> int:
        """The number of points of the grid."""
        return self._quadrature_size

    def _batch_shape_tensor(self) -> Any:
        rate_batch = self.distribution.batch_shape_tensor()
        return v1.broadcast_dynamic_shape(rate_batch, v1.shape(self.mixture_distribution.logits))[:-1]

    def _batch_shape(self) -> Any:
        rate_batch = self.distribution.batch_shape
        return tf.broadcast_static_shape(rate_batch, self.mixture_distribution.logits.shape)[:-1]

    def _event_shape(self) -> Any:
        return tf.TensorShape([])

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        size = self.batch_shape.num_elements()
        size = v1.reduce_prod(self.batch_shape_tensor()) if size is None else size
        empty = np.zeros([0], np.int32)
        batch_size = util.pick_vector(self.mixture_distribution.is_scalar_batch(), [size], empty)
        points = self._mixture_distribution.sample(
            sample_shape=joined([n], batch_size),
            seed=util.gen_new_seed(seed, "poisson_lognormal_quadrature_compound"),
        )
        flat_batch = util.pick_vector(self.is_scalar_batch(), empty, np.array([-1], np.int32))
        points = tf.reshape(points, shape=joined([n], flat_batch))
        points += tf.range(0, size * self._quadrature_size, self._quadrature_size, dtype=points.dtype)
        rate = v1.gather(tf.reshape(self.distribution.rate, shape=[-1]), points)
        rate = tf.reshape(rate, shape=joined([n], self.batch_shape_tensor()))
        return v1.random_poisson(lam=rate, shape=[], dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        log_probs = self.distribution.log_prob(x[..., tf.newaxis])
        return v1.reduce_logsumexp(self.mixture_distribution.logits + log_probs, axis=-1)

    def _mean(self) -> Any:
        weighted = self.mixture_distribution.logits + self.distribution.log_rate
        return tf.exp(v1.reduce_logsumexp(weighted, axis=-1))

    def _variance(self) -> Any:
        return tf.exp(self._log_variance())

    def _stddev(self) -> Any:
        return tf.exp(0.5 * self._log_variance())

    def _log_variance(self) -> Any:
        """Returns the log of the mean of the variances plus the variance of the means. Both are the rates."""
        difference = tf.abs(self.distribution.mean() - self._mean()[..., tf.newaxis])
        parts = tf.stack([self.distribution.log_rate, 2.0 * tf.math.log(difference)], axis=-1)
        weights = self.mixture_distribution.logits[..., tf.newaxis]
        return v1.reduce_logsumexp(weights + parts, axis=[-2, -1])
