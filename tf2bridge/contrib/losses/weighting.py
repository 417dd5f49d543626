"""Weighted means of losses: over what has a weight other than 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.losses.collected import add_loss

v1 = tf.compat.v1
_SCALAR = np.zeros(0, np.int32)  # of a list [], TensorFlow 2 makes two constants


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the scalar mean of `losses`, [batch, ...], times `weights`, and records it as a loss.

    `weights` are one number, or [batch] or more of the first dimensions of the losses; where they are 0 nothing counts.
    Raises ValueError where a rank is not known.
    """
    with v1.name_scope(scope, "weighted_loss", [losses, weights]):
        return weighted_mean(losses, weights)


def weighted_mean(losses: Any, weights: Any = 1.0) -> Any:
    """Returns and records what `compute_weighted_loss` does, in the name scope in force."""
    losses = tf.convert_to_tensor(losses)
    dtype = losses.dtype
    losses = tf.cast(losses, tf.float32)
    weights = as_weights(weights)
    known_rank(losses, "losses")
    if known_rank(weights, "weights") > 1 and weights.shape[-1:].is_compatible_with([1]):
        weights = tf.squeeze(weights, [-1])
    total = scaled_sum(losses, weights)
    mean = tf.cast(_safe_mean(total, number_present(losses, weights)), dtype)
    add_loss(mean)
    return mean


def as_weights(weights: Any) -> Any:
    """Returns the weights as a float32 tensor."""
    return tf.cast(tf.convert_to_tensor(weights), tf.float32)


def known_rank(tensor: Any, what: str) -> int:
    """Returns the rank of `tensor`. Raises ValueError if it is not known."""
    if tensor.shape.rank is None:
        raise ValueError(f"the rank of the {what} is not known; set it with set_shape")
    return int(tensor.shape.rank)


def scaled_sum(losses: Any, weights: Any) -> Any:
    """Returns the sum of `losses` times `weights`, whose shape is a beginning of theirs."""
    axes = list(range(weights.shape.rank, losses.shape.rank))
    return tf.reduce_sum(tf.multiply(tf.reduce_sum(losses, axis=axes), weights))


def number_present(losses: Any, weights: Any, per_batch: bool = False) -> Any:
    """Returns how many of the `losses` have a weight other than 0: in all, or of each example, [batch]."""
    if weights.shape.rank == 0:
        batch = tf.reshape(tf.slice(tf.shape(losses), [0], [1]), _SCALAR)
        each = v1.div(tf.cast(tf.size(losses), tf.float32), tf.cast(batch, tf.float32))
        each = v1.where(tf.equal(weights, 0), 0.0, each)
        count = tf.multiply(tf.ones(tf.reshape(batch, [1])), each)
    else:
        axes = list(range(1, weights.shape.rank))
        nonzero = tf.reduce_sum(tf.cast(tf.not_equal(weights, 0), tf.float32), axis=axes)
        others = tf.slice(tf.shape(losses), [weights.shape.rank], [-1])
        count = tf.multiply(nonzero, tf.cast(tf.reduce_prod(others), tf.float32))
    return count if per_batch else tf.reduce_sum(count)


def _safe_mean(total: Any, present: Any) -> Any:
    return tf.math.divide_no_nan(tf.reduce_sum(total), present, name="value")
