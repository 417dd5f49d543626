"""Changes to gradients after they are computed and before they are applied: clipping, noise, multipliers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.training import moving_averages

v1 = tf.compat.v1
Pairs = list[tuple[Any, Any]]


def adaptive_clipping_fn(
    std_factor: float = 2.0,
    decay: Any = 0.95,
    static_max_norm: float | None = None,
    global_step: Any = None,
    report_summary: bool = False,
    epsilon: float = 1e-8,
    name: Any = None,
) -> Callable[[Sequence[tuple[Any, Any]]], Pairs]:
    """Returns a function that clips gradients whose global norm is unusual, for `optimize_loss(clip_gradients=)`.

    A norm is unusual if its logarithm is more than `std_factor` deviations above the moving average.
    """

    def gradient_clipping(grads_and_vars: Sequence[tuple[Any, Any]]) -> Pairs:
        gradients = [gradient for gradient, _ in grads_and_vars]
        norm = tf.linalg.global_norm(gradients)
        most, log_mean = _usual_norms(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            v1.summary.scalar("global_norm/adaptive_max_gradient_norm", most)
        factor = v1.where(norm < most, v1.ones_like(norm), tf.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = tf.minimum(static_max_norm / norm, factor)
        return [(_times(gradient, factor), variable) for gradient, variable in grads_and_vars]

    return gradient_clipping


def clipped_by_norm(grads_and_vars: Pairs, norm: float) -> Pairs:
    """Returns the pairs with the gradients scaled so that their global norm is at most `norm`."""
    clipped, _ = v1.clip_by_global_norm([gradient for gradient, _ in grads_and_vars], norm)
    return [(gradient, variable) for gradient, (_, variable) in zip(clipped, grads_and_vars, strict=True)]


def with_noise(grads_and_vars: Pairs, scale: float) -> Pairs:
    """Returns the pairs with noise added to each gradient: `scale` times a draw of the truncated normal."""
    noisy = []
    for gradient, variable in grads_and_vars:
        if gradient is not None:
            sparse = isinstance(gradient, tf.IndexedSlices)
            shape = gradient.dense_shape if sparse else gradient.shape
            gradient = gradient + v1.truncated_normal(shape) * scale  # noqa: PLW2901
        noisy.append((gradient, variable))
    return noisy


def multiplied(grads_and_vars: Pairs, multipliers: Mapping[Any, Any]) -> Pairs:
    """Returns the pairs, with gradients multiplied. The keys of `multipliers` are variables or their names.

    Raises:
        ValueError: there are no pairs.
    """
    pairs = []
    for gradient, variable in grads_and_vars:
        factor = _multiplier(variable, multipliers)
        if gradient is not None and factor is not None:
            sparse = isinstance(gradient, tf.IndexedSlices)
            gradient = _times(gradient, factor if sparse else tf.cast(factor, gradient.dtype))  # noqa: PLW2901
        pairs.append((gradient, variable))
    if not pairs:
        raise ValueError("there are no gradients to multiply: no variables are trained")
    return pairs


def _multiplier(variable: Any, multipliers: Mapping[Any, Any]) -> Any:
    """Returns the multiplier of a variable or None. Compares by identity: TensorFlow 2 variables have no hash."""
    factors = [factor for key, factor in multipliers.items() if key is variable]
    return factors[0] if factors else multipliers.get(variable.name)


def _times(gradient: Any, factor: Any) -> Any:
    if gradient is None:
        return None
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * factor


def _usual_norms(
    norm: Any, std_factor: float, decay: Any, global_step: Any, epsilon: float, name: Any
) -> tuple[Any, Any]:
    """Returns the largest usual norm, and the moving average of the logarithms."""
    with v1.variable_scope(name, "AdaptiveMaxNorm", [norm]):
        logarithm = tf.math.log(norm + epsilon)
        if global_step is not None:
            steps = tf.cast(global_step, tf.float32)
            decay = tf.minimum(decay, steps / (steps + 1.0))
        mean = _moving_average("mean", logarithm, decay)
        squares = _moving_average("sq_mean", tf.square(logarithm), decay)
        deviation = tf.sqrt(tf.maximum(epsilon, squares - tf.square(mean)))
        return tf.exp(mean + std_factor * deviation), mean


def _moving_average(name: str, value: Any, decay: Any) -> Any:
    assign = moving_averages.assign_moving_average
    average = v1.get_variable(
        name, shape=value.shape, dtype=value.dtype, initializer=v1.zeros_initializer(), trainable=False
    )
    return assign(average, value, decay, zero_debias=False)
