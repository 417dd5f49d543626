"""Metrics of heads, each a pair (value, update), as in contrib/learn/python/learn/estimators/head.py of 1.15.5."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.internals.ops import broadcast_weights

v1 = tf.compat.v1
Metric = tuple[Any, Any]


def mean_prediction(predictions: Any, weights: Any = None, class_id: int | None = None) -> Metric:
    """Returns the mean of predictions, or of one class if `class_id` is given."""
    predictions = tf.cast(predictions, tf.float32)
    weights = _spread(weights, predictions)
    return v1.metrics.mean(_of_class(predictions, class_id), _of_class(weights, class_id))  # type: ignore[no-any-return]


def mean_label(labels: Any, weights: Any = None, class_id: int | None = None) -> Metric:
    """Returns the mean of labels 0 and 1, or of one class if `class_id` is given."""
    return mean_prediction(labels, weights, class_id)


def share_of_class(class_ids: Any, weights: Any, class_id: int) -> Metric:
    """Returns the fraction of `class_ids`, labels or predictions, that equal `class_id`."""
    is_class = tf.equal(tf.cast(class_id, tf.int32), tf.cast(class_ids, tf.int32))
    return v1.metrics.mean(v1.where(is_class, tf.ones_like(class_ids), tf.zeros_like(class_ids)), weights=weights)  # type: ignore[no-any-return]


def area(predictions: Any, labels: Any, weights: Any = None, class_id: int | None = None, curve: str = "ROC") -> Metric:
    """Returns the area under the curve, or of one class if `class_id` is given."""
    predictions = tf.cast(predictions, tf.float32)
    if labels.dtype.base_dtype != tf.bool:
        logging.warning("Casting %s labels to bool.", labels.dtype)
        labels = tf.cast(labels, tf.bool)
    weights = _of_class(_spread(weights, predictions), class_id)
    return v1.metrics.auc(_of_class(labels, class_id), _of_class(predictions, class_id), weights, curve=curve)  # type: ignore[no-any-return]


def accuracy_at(predictions: Any, labels: Any, weights: Any, threshold: float) -> Metric:
    """Returns the accuracy if predictions of at least `threshold` are positive."""
    positive = tf.cast(tf.greater_equal(predictions, threshold), tf.float32)
    return v1.metrics.accuracy(labels, positive, weights)  # type: ignore[no-any-return]


def precision_at(predictions: Any, labels: Any, weights: Any, threshold: float) -> Metric:
    """Returns the precision at one threshold."""
    value, update = v1.metrics.precision_at_thresholds(labels, predictions, (threshold,), as_floats(weights))
    return tf.squeeze(value), tf.squeeze(update)


def recall_at(predictions: Any, labels: Any, weights: Any, threshold: float) -> Metric:
    """Returns the recall at one threshold."""
    value, update = v1.metrics.recall_at_thresholds(labels, predictions, (threshold,), as_floats(weights))
    return tf.squeeze(value), tf.squeeze(update)


def as_floats(weights: Any) -> Any:
    """Returns weights as float32, or None."""
    if weights is None:
        return None
    with v1.name_scope(None, "float_weights", (weights,)) as name:
        return tf.cast(weights, tf.float32, name=name)


def _spread(weights: Any, values: Any) -> Any:
    weights = as_floats(weights)
    return None if weights is None else broadcast_weights(weights, values)


def _of_class(values: Any, class_id: int | None) -> Any:
    return values if values is None or class_id is None else values[:, class_id]
