"""The losses of contrib.losses: predictions first, labels second."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.losses.collected import add_loss
from tf2bridge.contrib.losses.weighting import (
    as_weights,
    compute_weighted_loss,
    known_rank,
    number_present,
    scaled_sum,
)

v1 = tf.compat.v1


def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the weighted mean of abs(predictions - labels). Raises ValueError for other shapes."""
    with v1.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.abs(tf.subtract(predictions, labels)), weights, scope=name)


def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the weighted mean of (predictions - labels) ** 2. Raises ValueError for other shapes."""
    with v1.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.math.squared_difference(predictions, labels), weights, scope=name)


def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> Any:
    """Returns the weighted mean of the cross entropy of probabilities. Raises ValueError for other shapes."""
    with v1.name_scope(scope, "log_loss", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        true = -tf.multiply(labels, tf.math.log(predictions + epsilon))
        false = tf.multiply(1 - labels, tf.math.log(1 - predictions + epsilon))
        return compute_weighted_loss(true - false, weights, scope=name)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """Returns max(0, 1 - logits * (2 * labels - 1)), unreduced; the labels are 0 or 1. Records no loss."""
    with v1.name_scope(scope, "hinge_loss", [logits, labels]):
        logits.shape.assert_is_compatible_with(labels.shape)
        labels = tf.cast(labels, tf.float32)
        ones = v1.ones_like(labels)
        labels = tf.subtract(2 * labels, ones)
        return v1.nn.relu(tf.subtract(ones, tf.multiply(labels, logits)))


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> Any:
    """Returns the weighted mean of 1 - sum(predictions * labels) along `axis`, for vectors of length 1.

    Raises ValueError without an axis, with both of its names, and for other shapes.
    """
    if axis is not None and dim is not None:
        raise ValueError("cosine_distance: 'dim' is the old name of 'axis'; give one of them")
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("cosine_distance needs an axis: that of the vectors")
    with v1.name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        losses = 1 - tf.reduce_sum(tf.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(losses, weights, scope=name)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> Any:
    """Returns the mean squared difference between the differences of all pairs within an example.

    Raises ValueError for other shapes, or ranks that are not known.
    """
    with v1.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]):
        predictions, labels = _floats(predictions, labels)
        weights = as_weights(weights)
        differences = tf.subtract(predictions, labels)
        axes = list(range(1, known_rank(differences, "differences")))
        known_rank(weights, "weights")
        squares = tf.reduce_sum(tf.square(differences), axis=axes)
        present = number_present(differences, weights, per_batch=True)
        first = 2.0 * tf.math.divide_no_nan(squares, present, name="value")
        total = tf.reduce_sum(differences, axis=axes)
        second = 2.0 * tf.math.divide_no_nan(tf.square(total), tf.square(present), name="value")
        loss = scaled_sum(first - second, weights)
        mean = v1.where(tf.reduce_sum(present) > 0, loss, v1.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


def _floats(predictions: Any, labels: Any) -> tuple[Any, Any]:
    predictions.shape.assert_is_compatible_with(labels.shape)
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)
