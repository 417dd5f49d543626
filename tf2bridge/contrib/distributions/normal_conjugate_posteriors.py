"""The posterior of the mean of a normal variable with known scale, for a normal prior.

https://en.wikipedia.org/wiki/Conjugate_prior#When_likelihood_function_is_a_continuous_distribution
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import v1

Normal: Any = v1.distributions.Normal


def normal_conjugates_known_scale_posterior(prior: Any, scale: Any, s: Any, n: Any) -> Any:
    """Returns the Normal of the mean after `n` observations whose sum is `s`."""
    loc, variance, _ = _posterior(prior, scale, s, n)
    return Normal(loc=loc, scale=tf.sqrt(variance))


def normal_conjugates_known_scale_predictive(prior: Any, scale: Any, s: Any, n: Any) -> Any:
    """Returns the Normal of the next observation after `n` observations whose sum is `s`."""
    loc, variance, observation_variance = _posterior(prior, scale, s, n)
    return Normal(loc=loc, scale=tf.sqrt(variance + observation_variance))


def _posterior(prior: Any, scale: Any, s: Any, n: Any) -> tuple[Any, Any, Any]:
    """Returns mean and variance of the posterior, and the variance of an observation."""
    if not isinstance(prior, Normal):
        raise TypeError("Expected prior to be an instance of type Normal")
    if s.dtype != prior.dtype:
        raise TypeError(f"Observation sum s.dtype does not match prior dtype: {s.dtype} vs. {prior.dtype}")
    n = tf.cast(n, prior.dtype)
    before, observation_variance = tf.square(prior.scale), tf.square(scale)
    variance = 1.0 / (1 / before + n / observation_variance)
    return (prior.loc / before + s / observation_variance) * variance, variance, observation_variance
