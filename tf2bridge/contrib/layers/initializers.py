"""The initializers of contrib.layers, with the random draws of TF 1.x."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def xavier_initializer(uniform: bool = True, seed: int | None = None, dtype: Any = tf.float32) -> Callable[..., Any]:
    """Returns an initializer that keeps the variance of activations and gradients (Glorot and Bengio, 2010)."""
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0,
    mode: str = "FAN_IN",
    uniform: bool = False,
    seed: int | None = None,
    dtype: Any = tf.float32,
) -> Callable[..., Any]:
    """Returns an initializer with variance `factor` / n, where n is the fan `mode`: FAN_IN, FAN_OUT or FAN_AVG.

    The defaults are those of He et al., 2015. A truncated normal is drawn with variance 1.3 * `factor` / n: with this
    constant contrib.layers makes up for the truncation.

    Raises:
        TypeError: the dtype is not floating, or the mode is unknown.
    """
    dtype = tf.as_dtype(dtype)
    if not dtype.is_floating:
        raise TypeError(f"Cannot create initializer for non-floating point type. Got {dtype.name}; give a float dtype")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"unknown mode {mode!r}: use 'FAN_IN', 'FAN_OUT' or 'FAN_AVG'")

    def initializer(shape: Sequence[int], dtype: Any = dtype, partition_info: Any = None) -> Any:
        del partition_info  # the fans are those of the slice, as in contrib.layers
        if not tf.as_dtype(dtype).is_floating:
            raise TypeError(f"Cannot create initializer for non-floating point type {tf.as_dtype(dtype).name}.")
        count = _fan([int(size) for size in shape], mode)
        if uniform:
            limit = math.sqrt(3.0 * factor / count)
            return v1.random_uniform(shape, -limit, limit, dtype, seed=seed)
        return v1.truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / count), dtype, seed=seed)

    return initializer


def _fan(shape: list[int], mode: str) -> float:
    """Returns the fan of a kernel, [receptive field..., in, out]. The fan of a vector is its size."""
    field = math.prod(shape[:-2])
    fan_in = float(shape[-2] if len(shape) > 1 else shape[-1]) * field if shape else 1.0
    fan_out = float(shape[-1]) * field if shape else 1.0
    return {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
