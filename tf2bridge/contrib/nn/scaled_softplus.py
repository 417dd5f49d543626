"""`scaled_softplus`: a softplus with a scale, and clipped."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


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
    """Returns the gradients by x and alpha, computed from y: the gradient of softplus is 1 - exp(-y)."""
    scaled = y / alpha
    decay = v1.exp(-scaled)
    by_x = 1.0 - decay
    by_alpha = scaled * decay - by_x * v1.log(by_x + 1e-8)
    return _reduced(slope * by_x, x), _reduced(slope * by_alpha, alpha)


def _reduced(slope: Any, like: Any) -> Any:
    """Returns `slope` summed over the dimensions in which `like` was broadcast."""
    shape = v1.shape(like)
    axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=shape, s1=v1.shape(slope))
    return v1.reshape(v1.reduce_sum(slope, axes), shape)
