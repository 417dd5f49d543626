"""Scaled softplus, and the dropout that keeps the moments of SELU."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_ALPHA = -1.7580993408473766
"""The limit of SELU at minus infinity (arXiv 1706.02515)."""


def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Any:
    """Returns `x` with entries dropped to SELU's limit and scaled so that mean and variance stay.

    Raises ValueError for a probability outside (0, 1].
    """
    with v1.name_scope(name, "alpha_dropout", [x]) as name:
        x = tf.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, (int, float)) and not 0 < keep_prob <= 1.0:
            raise ValueError(f"keep_prob must be in the range (0, 1], not {keep_prob}")
        keep = tf.convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep.get_shape().assert_has_rank(0)
        if tf.get_static_value(keep) == 1:
            return x
        shape = v1.shape(x) if noise_shape is None else noise_shape
        noise = v1.random_uniform(shape, seed=seed, dtype=x.dtype)
        kept = v1.cast(v1.greater_equal(noise, 1 - keep), x.dtype)
        x = x * kept + _ALPHA * (1 - kept)
        scale = (keep + keep * (1 - keep) * _ALPHA**2) ** (-0.5)
        shift = -scale * _ALPHA * (1 - keep)
        return scale * x + shift


def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> Any:
    """Returns alpha * softplus(x / alpha), at most `clip`. `x`, `alpha` and `clip` broadcast, and have gradients."""
    given = [x, alpha] if clip is None else [x, alpha, clip]
    with v1.name_scope(name, "scaled_softplus", given):
        x = tf.convert_to_tensor(x, name="x")
        alpha = tf.convert_to_tensor(alpha, dtype=x.dtype, name="alpha")
        if clip is None:
            return tf.custom_gradient(_unclipped)(x, alpha)
        clip = tf.convert_to_tensor(clip, dtype=x.dtype, name="clip")
        return tf.custom_gradient(_clipped)(x, alpha, clip)


def _unclipped(x: Any, alpha: Any) -> Any:
    y = alpha * v1.nn.softplus(x / alpha)
    return y, lambda slope: _slopes(y, x, alpha, slope)


def _clipped(x: Any, alpha: Any, clip: Any) -> Any:
    y = v1.minimum(alpha * v1.nn.softplus(x / alpha), clip)

    def gradient(slope: Any) -> Any:
        below = v1.cast(y < clip, slope.dtype)
        return (*_slopes(y, x, alpha, slope * below), _reduced(slope * (1.0 - below), clip))

    return y, gradient


def _slopes(y: Any, x: Any, alpha: Any, slope: Any) -> tuple[Any, Any]:
    """The gradients by x and alpha, from y alone: that of softplus is 1 - exp(-y)."""
    scaled = y / alpha
    decay = v1.exp(-scaled)
    by_x = 1.0 - decay
    by_alpha = scaled * decay - by_x * v1.log(by_x + 1e-8)
    return _reduced(slope * by_x, x), _reduced(slope * by_alpha, alpha)


def _reduced(slope: Any, like: Any) -> Any:
    """`slope` summed over the dimensions in which `like` was broadcast."""
    shape = v1.shape(like)
    axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=shape, s1=v1.shape(slope))
    return v1.reshape(v1.reduce_sum(slope, axes), shape)
