"""`alpha_dropout`: dropout that keeps mean and variance."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_ALPHA = -1.7580993408473766
"""The limit of SELU at minus infinity (arXiv 1706.02515)."""


def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Any:
    """Returns `x` with entries dropped to SELU's limit, then scaled to keep mean and variance.

    Raises:
        ValueError: the probability is outside (0, 1].
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
