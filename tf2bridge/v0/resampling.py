"""Batches whose rows are repeated or dropped at given rates, drawn as 0.12 drew them.

Each row is kept while a product of uniform draws stays over exp(-rate), which is Knuth's way to draw from a Poisson
distribution; 1.0 and later draw the counts at once (contrib/training/python/training/resample.py of 0.12.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.training import moving_averages

v1 = tf.compat.v1


def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None, back_prop: bool = False
) -> Any:
    """Returns each of `inputs` [batch, ...] with each row repeated by the number of a Poisson draw of `rates` [batch].

    A single input gives a tensor, not a list.
    """
    with v1.name_scope(scope, default_name="resample_at_rate", values=inputs):
        limits = v1.exp(-rates)

        def draw(rows: list[Any], products: Any, turn: Any, count: Any) -> list[Any]:
            products = products * v1.random_uniform(shape=v1.shape(products), seed=seed)
            kept = v1.reshape(v1.where(products > limits), [-1])
            count = count + v1.shape(kept)[0]
            rows = [array.write(turn, v1.gather(tensor, kept)) for array, tensor in zip(rows, inputs, strict=True)]
            return [rows, products, turn + 1, count]

        arrays = [tf.TensorArray(tensor.dtype, size=0, dynamic_size=True, infer_shape=False) for tensor in inputs]
        begin = [arrays, v1.ones_like(rates), 0, 0]
        rows, _, _, count = v1.while_loop(
            lambda _rows, products, *_: v1.reduce_any(products > limits), draw, begin, back_prop=back_prop
        )
    return v1.cond(
        count > 0,
        lambda: [_shaped(array.concat(), tensor) for array, tensor in zip(rows, inputs, strict=True)],
        lambda: [_without_rows(tensor) for tensor in inputs],
    )


def weighted_resample(
    inputs: Sequence[Any],
    weights: Any,
    overall_rate: Any,
    scope: str | None = None,
    mean_decay: float = 0.999,
    warmup: int = 10,
    seed: int | None = None,
) -> tuple[list[Any], Any]:
    """Returns (resampled inputs, the rate of each row): `overall_rate` on average, in proportion to `weights` [batch].

    The local variable "estimated_mean" keeps the mean of the weights: of all batches up to `warmup`, then a moving one.
    """
    with v1.name_scope(scope, "weighted_resample", inputs) as name:
        with v1.variable_scope(scope, "estimate_mean", inputs):
            before = v1.get_local_variable("resample_count", initializer=0)
            estimate = v1.get_local_variable("estimated_mean", initializer=0.0)
            count = before.assign_add(1)
            decay = v1.minimum(v1.truediv(count - 1, v1.minimum(count, warmup)), mean_decay)
            mean = moving_averages.assign_moving_average(estimate, v1.reduce_mean(weights), decay, zero_debias=False)
        rates = weights * overall_rate / mean
        resampled = resample_at_rate([rates, *inputs], rates, scope=name, seed=seed, back_prop=False)
    return resampled[1:], resampled[0]


def _shaped(rows: Any, tensor: Any) -> Any:
    if tensor.shape.rank is not None:
        rows.set_shape([None, *tensor.shape[1:]])
    return rows


def _without_rows(tensor: Any) -> Any:
    return v1.zeros(v1.concat([[0], v1.shape(tensor)[1:]], 0), tensor.dtype)
