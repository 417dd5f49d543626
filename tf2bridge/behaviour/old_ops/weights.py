"""Weights of losses are refused where 1.13 to 1.15 refused them.

They are one number, or have the rank of the losses and in each axis its size or 1. TensorFlow 2 multiplies what NumPy
would, so that weights of samples count for steps.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put


def install() -> None:
    """Makes `tf.nn.compute_average_loss` refuse them, in this process; `old_keras` does so for its losses."""
    losses: Any = internals.ops.losses_util
    put(losses, "scale_losses_by_sample_weight", checked(losses.scale_losses_by_sample_weight))


def checked(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of losses and weights that refuses weights which do not fit."""

    @functools.wraps(original)
    def weighted(losses: Any, sample_weight: Any = None, *args: Any, **kwargs: Any) -> Any:
        if sample_weight is not None:
            _check(_sizes(losses), _sizes(sample_weight))
        return original(losses, sample_weight, *args, **kwargs)

    return weighted


def _sizes(values: Any) -> list[int | None] | None:
    """Returns the static shape; None if the rank is unknown."""
    shape = tensorflow().TensorShape(values.shape if hasattr(values, "shape") else np.shape(values))
    return None if shape.rank is None else shape.as_list()


def _check(values: list[int | None] | None, weights: list[int | None] | None) -> None:
    """Raises ValueError for the shape of weights, after the last axis was added or dropped as losses do."""
    if values is None or not weights:
        return
    if len(weights) == len(values) + 1 and weights[-1] == 1:
        weights = weights[:-1]
    elif len(weights) == len(values) - 1:
        weights = [*weights, 1]
    if not weights:
        return
    start = "weights can not be broadcast to values."
    if len(weights) != len(values):
        raise ValueError(
            f"{start} values.rank={len(values)}. weights.rank={len(weights)}. "
            f"values.shape={_text(values)}. weights.shape={_text(weights)}."
        )
    if None in values or None in weights:
        return
    for axis, (size, wanted) in enumerate(zip(weights, values, strict=True)):
        if size not in (1, wanted):
            raise ValueError(
                f"{start} Mismatch at dim {axis}. values.shape={_row(values)} weights.shape={_row(weights)}."
            )


def _text(sizes: list[int | None]) -> str:
    return str(tensorflow().TensorShape(sizes))


def _row(sizes: list[int | None]) -> str:
    return f"[{' '.join(map(str, sizes))}]"
