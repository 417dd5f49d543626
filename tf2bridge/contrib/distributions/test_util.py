"""Checks for tests of distributions: samples agree with densities, means and variances.

The genuine module is `tf.contrib.distributions.python.ops.test_util`. Tests of a program's own distributions use it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import v1


class DiscreteScalarDistributionTestHelpers:
    """Checks of distributions of integers: a mixin for a test case that has `assertAllClose`."""

    assertAllClose: Callable[..., None]  # noqa: N815  # a method of unittest

    def run_test_sample_consistent_log_prob(
        self,
        sess_run_fn: Callable[..., Any],
        dist: Any,
        num_samples: int = 100000,
        num_threshold: int = 1000,
        seed: Any = 42,
        batch_size: Any = None,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Checks that the frequency of each number with more than `num_threshold` samples is its probability."""
        if num_threshold < 1:
            raise ValueError(f"num_threshold({num_threshold}) must be at least 1.")
        samples = tf.reshape(dist.sample(num_samples, seed=seed), shape=[num_samples, -1])
        if batch_size is None:
            batch_size = v1.reduce_prod(dist.batch_shape_tensor())
        rank = v1.shape(dist.batch_shape_tensor())[0]
        shape_beside_batches = 1 + tf.pad([-2], paddings=[[0, rank]])
        for member, member_samples in enumerate(tf.unstack(samples, num=batch_size, axis=1)):
            counts, edges = self.histogram(member_samples)
            edges = tf.reshape(edges, shape_beside_batches)
            probs = tf.reshape(tf.exp(dist.log_prob(edges)), shape=[-1, batch_size])[:, member]
            counts_, probs_ = sess_run_fn([counts, probs])
            enough = counts_ > num_threshold
            self.assertAllClose(probs_[enough], counts_[enough] / num_samples, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_variance(
        self,
        sess_run_fn: Callable[..., Any],
        dist: Any,
        num_samples: int = 100000,
        seed: Any = 24,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Checks mean, variance and standard deviation of samples."""
        x = tf.cast(dist.sample(num_samples, seed=seed), tf.float32)
        mean = v1.reduce_mean(x, axis=0)
        variance = v1.reduce_mean(tf.square(x - mean), axis=0)
        ours = [mean, variance, tf.sqrt(variance)]
        sampled = sess_run_fn([*ours, dist.mean(), dist.variance(), dist.stddev()])
        for estimate, expected in zip(sampled[:3], sampled[3:], strict=True):
            self.assertAllClose(expected, estimate, rtol=rtol, atol=atol)

    def histogram(self, x: Any, value_range: Any = None, nbins: Any = None, name: str | None = None) -> Any:
        """Returns the counts of the numbers of `x`, and the numbers, by default from the smallest to the largest."""
        with v1.name_scope(name, "histogram", [x]):
            x = tf.convert_to_tensor(x, name="x")
            if value_range is None:
                value_range = [v1.reduce_min(x), 1 + v1.reduce_max(x)]
            value_range = tf.convert_to_tensor(value_range, name="value_range")
            low, high = value_range[0], value_range[1]
            if nbins is None:
                nbins = tf.cast(high - low, tf.int32)
            step = (high - low) / tf.cast(nbins, dtype=value_range.dtype.base_dtype)
            edges = tf.range(start=low, limit=high, delta=step, dtype=x.dtype.base_dtype)
            return tf.histogram_fixed_width(x, value_range=value_range, nbins=nbins), edges


class VectorDistributionTestHelpers:
    """Checks of distributions of vectors: a mixin for a test case that has `assertAllClose`."""

    assertAllClose: Callable[..., None]  # noqa: N815  # a method of unittest

    def run_test_sample_consistent_log_prob(
        self,
        sess_run_fn: Callable[..., Any],
        dist: Any,
        num_samples: int = 100000,
        radius: Any = 1.0,
        center: Any = 0.0,
        seed: Any = 42,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Checks that the mean of 1 / density over the samples in a ball is the volume of the ball."""
        with v1.name_scope(
            "run_test_sample_consistent_log_prob", values=[num_samples, radius, center, *dist._graph_parents]
        ):
            batch_shape = dist.batch_shape_tensor()
            volume = _volume_of_ball(dist.event_shape_tensor()[0], radius)
            x = tf.identity(dist.sample(num_samples, seed=seed))
            inside = tf.cast(tf.norm(x - center, axis=-1) <= radius, dtype=x.dtype)
            sampled = v1.reduce_mean(tf.exp(-dist.log_prob(x)) * inside, axis=0)
            init_op = v1.global_variables_initializer()
        sess_run_fn(init_op)
        batch_shape_, volume_, sampled_ = sess_run_fn([batch_shape, volume, sampled])
        self.assertAllClose(np.tile(volume_, reps=batch_shape_), sampled_, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_covariance(
        self,
        sess_run_fn: Callable[..., Any],
        dist: Any,
        num_samples: int = 100000,
        seed: Any = 24,
        rtol: float = 1e-2,
        atol: float = 0.1,
        cov_rtol: float | None = None,
        cov_atol: float | None = None,
    ) -> None:
        """Checks mean, covariance, variance and standard deviation of samples."""
        x = dist.sample(num_samples, seed=seed)
        mean = v1.reduce_mean(x, axis=0)
        covariance = v1.reduce_mean(_vec_outer_square(x - mean), axis=0)
        variance = tf.linalg.diag_part(covariance)
        ours = [mean, covariance, variance, tf.sqrt(variance)]
        theirs = [dist.mean(), dist.covariance(), dist.variance(), dist.stddev()]
        values = sess_run_fn(ours + theirs)
        for place, (estimate, expected) in enumerate(zip(values[:4], values[4:], strict=True)):
            is_covariance = place == 1
            self.assertAllClose(
                expected,
                estimate,
                rtol=(is_covariance and cov_rtol) or rtol,
                atol=(is_covariance and cov_atol) or atol,
            )


def _volume_of_ball(dimensions: Any, radius: Any) -> Any:
    """Returns https://en.wikipedia.org/wiki/Volume_of_an_n-ball#Formulas."""
    radius = np.asarray(radius)
    half = tf.cast(dimensions, dtype=radius.dtype) / 2.0
    return tf.exp(half * np.log(np.pi) - tf.math.lgamma(1.0 + half) + 2.0 * half * np.log(radius))


def _vec_outer_square(x: Any, name: str | None = None) -> Any:
    with v1.name_scope(name, "vec_osquare", [x]):
        return x[..., :, tf.newaxis] * x[..., tf.newaxis, :]
