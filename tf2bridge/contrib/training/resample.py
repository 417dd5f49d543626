"""Resampling of batches: rows are repeated or dropped at given rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.training import moving_averages

v1 = tf.compat.v1


def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None, back_prop: bool = False
) -> list[Any]:
    """Returns `inputs` [batch, ...] with each row repeated n times, where n is a Poisson draw of `rates` [batch]."""
    with v1.name_scope(scope, default_name="resample_at_rate", values=[*inputs, rates]):
        rates = tf.convert_to_tensor(rates, name="rates")
        counts = v1.cast(v1.random_poisson(rates, (), rates.dtype, seed=seed), tf.int32)
        indices = _repeated_range(counts)
        if not back_prop:
            indices = tf.stop_gradient(indices)
        return [v1.gather(tensor, indices) for tensor in inputs]


def weighted_resample(
    inputs: Sequence[Any],
    weights: Any,
    overall_rate: Any,
    scope: str | None = None,
    mean_decay: float = 0.999,
    seed: int | None = None,
) -> tuple[list[Any], Any]:
    """Returns (resampled inputs, rate of each row). Rates are proportional to `weights` [batch].

    The mean rate is `overall_rate`. The local variable "estimated_mean" keeps the moving average of the weights.
    """
    with v1.name_scope(scope, "weighted_resample", inputs) as name:
        with v1.variable_scope(scope, "estimate_mean", inputs):
            estimate = v1.get_local_variable(
                "estimated_mean", initializer=v1.cast(0, weights.dtype), dtype=weights.dtype
            )
            mean = moving_averages.assign_moving_average(estimate, v1.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        resampled = resample_at_rate([rates, *inputs], rates, scope=name, seed=seed, back_prop=False)
        return resampled[1:], resampled[0]


def _repeated_range(counts: Any) -> Any:
    """Returns each index repeated by its count: [0, 0, 2] for counts [2, 0, 1]."""
    with v1.name_scope(None, "repeat_range", [counts]) as scope:
        counts = tf.convert_to_tensor(counts, name="counts")
        size = v1.shape(counts)[0]
        start = tf.TensorArray(dtype=tf.int32, size=size, infer_shape=False)

        def body(arrays: Any, i: Any) -> tuple[Any, Any]:
            return arrays.write(i, v1.fill(counts[i : i + 1], i)), i + 1

        arrays, written = v1.while_loop(lambda _, i: i < size, body, loop_vars=[start, 0])
        return v1.cond(written > 0, arrays.concat, lambda: v1.zeros(shape=[0], dtype=tf.int32), name=scope)
