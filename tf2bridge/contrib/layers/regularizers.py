"""The regularizers of contrib.layers: functions of a weight tensor that return a scalar loss, or None for scale 0."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
Regularizer = Callable[..., Any]


def l1_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """Returns the regularizer `scale` * sum(abs(w)). Raises ValueError if the scale is an integer or negative."""
    return _scaled(scale, scope, "l1_regularizer", lambda weights: v1.reduce_sum(v1.abs(weights)))


def l2_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """Returns the regularizer `scale` * sum(w ** 2) / 2. Raises ValueError if the scale is an integer or negative."""
    return _scaled(scale, scope, "l2_regularizer", v1.nn.l2_loss)


def l1_l2_regularizer(scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: str | None = None) -> Regularizer:
    """Returns the sum of both regularizers. A regularizer with scale 0 is left out.

    Raises:
        ValueError: a scale is an integer or negative.
    """
    _check("l1_l2_regularizer", scale_l1)
    _check("l1_l2_regularizer", scale_l2)
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    both = sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope)
    assert both is not None
    return both


def sum_regularizer(regularizer_list: Sequence[Regularizer | None], scope: str | None = None) -> Regularizer | None:
    """Returns the sum of the regularizers that are not None, or None if all are None."""
    regularizers = [regularizer for regularizer in regularizer_list if regularizer is not None]
    if not regularizers:
        return None

    def total(weights: Any) -> Any:
        with v1.name_scope(scope, "sum_regularizer", [weights]) as name:
            losses = [loss for loss in (regularizer(weights) for regularizer in regularizers) if loss is not None]
            return v1.add_n(losses, name=name) if losses else None

    return total


def apply_regularization(regularizer: Regularizer, weights_list: Sequence[Any] | None = None) -> Any:
    """Returns the sum of the losses of the weights, and adds it to the collection of regularization losses.

    The weights are those of the WEIGHTS collection by default.

    Raises:
        ValueError: there are no weights.
    """
    weights = weights_list or v1.get_collection(v1.GraphKeys.WEIGHTS)
    if not weights:
        raise ValueError("there are no weights to regularize: give weights_list, or fill the collection 'weights'")
    with v1.name_scope("get_regularization_penalty", values=weights) as scope:
        losses = [regularizer(weights_tensor) for weights_tensor in weights]
        losses = [loss if loss is not None else v1.constant(0.0) for loss in losses]
        total = v1.add_n(losses, name=scope)
        v1.add_to_collection(v1.GraphKeys.REGULARIZATION_LOSSES, total)
        return total


def _check(name: str, scale: Any) -> None:
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"{name}: the scale {scale!r} is an integer; write {scale}.0")
    if isinstance(scale, numbers.Real) and scale < 0.0:
        raise ValueError(f"{name}: the scale {scale!r} is below 0")


def _scaled(scale: Any, scope: str | None, kind: str, norm: Callable[[Any], Any]) -> Regularizer:
    _check(kind, scale)
    if isinstance(scale, numbers.Real) and scale == 0.0:
        return lambda _: None

    def regularizer(weights: Any) -> Any:
        with v1.name_scope(scope, kind, [weights]) as name:
            factor = tf.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return v1.multiply(factor, norm(weights), name=name)

    return regularizer
