"""The divisor of a loss whose samples have weights or a mask, as in genuine 1.4.1 to 1.15.5.

- Since 1.13: the number of all samples or steps, masked ones included.
- 1.11 and 1.12: the sum of the weights.
- Earlier: the number of weights that are not 0, times the share of steps that are not masked.

A call of a loss object ignores the mask of its input. Since 1.13 weights that do not fit the losses are refused.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.weights import checked
from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put


def install(release: Release) -> None:
    """Changes losses of tf_keras in this process. A call for another release replaces the changes of the first."""
    losses, shared = (importlib.import_module(f"tf_keras.src.{name}") for name in ("losses", "utils.losses_utils"))
    weights = _by_count if release.before(1, 11) else _by_sum if release.before(1, 13) else _by_all
    put(shared, "apply_valid_mask", functools.partial(weights, shared))
    put(losses.Loss, "__call__", _without_mask(losses.Loss.__call__))
    if not release.before(1, 13):
        put(shared, "compute_weighted_loss", checked(shared.compute_weighted_loss))


def _by_all(shared: Any, losses: Any, sw: Any, mask: Any, reduction: Any) -> Any:
    """Returns the weights of `losses`, with 0 for masked elements."""
    del reduction
    return shared.apply_mask(losses, sw, mask)


def _by_sum(shared: Any, losses: Any, sw: Any, mask: Any, reduction: Any) -> Any:
    """Returns the weights scaled to a mean of 1, or all 0."""
    del reduction
    weights = shared.apply_mask(losses, sw, mask)
    if weights is None:
        return None
    weights = _as_large(shared, losses, weights)
    return tf.math.divide_no_nan(weights, tf.reduce_mean(weights))


def _by_count(shared: Any, losses: Any, sw: Any, mask: Any, reduction: Any) -> Any:
    """Returns the product of weights and mask, each divided by its share of elements that are not 0."""
    del reduction
    factor: Any = None
    if mask is not None:
        share = tf.cast(mask, losses.dtype)
        factor = share / tf.reduce_mean(share)
    if sw is None or sw is mask:
        return factor
    weights = tf.cast(sw, losses.dtype)
    weights /= tf.reduce_mean(tf.cast(tf.not_equal(weights, 0), losses.dtype))
    return weights if factor is None else _as_large(shared, factor, weights) * factor


def _as_large(shared: Any, losses: Any, weights: Any) -> Any:
    """Returns the weights in the shape of the losses."""
    losses, _, weights = shared.squeeze_or_expand_dimensions(losses, None, weights)
    return tf.cast(weights, losses.dtype) * tf.ones_like(losses)


def _without_mask(original: Any) -> Any:
    @functools.wraps(original)
    def called(self: Any, y_true: Any, y_pred: Any, *arguments: Any, **keywords: Any) -> Any:
        mask = getattr(y_pred, "_keras_mask", None)
        if mask is None:
            return original(self, y_true, y_pred, *arguments, **keywords)
        y_pred._keras_mask = None
        try:
            return original(self, y_true, y_pred, *arguments, **keywords)
        finally:
            y_pred._keras_mask = mask

    return called
