"""Metrics of the first heads, as (value, update op) pairs of `tf.metrics`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads.keys import MetricKeys
from tf2bridge.internals.ops import broadcast_weights

v1 = tf.compat.v1


def mean(values: Any, weights: Any, name: str, inner: str) -> Any:
    """Returns the mean of labels or predictions."""
    with v1.name_scope(name, inner, (values, weights)) as scope:
        values = tf.cast(values, tf.float32)
        return v1.metrics.mean(values, weights=_broadcast(weights, values), name=scope)


def accuracy_baseline(labels_mean: Any) -> Any:
    """Returns the accuracy of always choosing the more frequent of two classes."""
    with v1.name_scope(None, MetricKeys.ACCURACY_BASELINE, labels_mean):
        value, update = labels_mean
        return tf.maximum(value, 1.0 - value, name="value"), tf.maximum(update, 1 - update, name="update_op")


def auc(labels: Any, predictions: Any, weights: Any, curve: str, name: str) -> Any:
    """Returns the area under a curve, "ROC" or "PR"."""
    with v1.name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = tf.cast(predictions, tf.float32)
        weights = _broadcast(weights, predictions)
        return v1.metrics.auc(labels, predictions, weights=weights, curve=curve, name=scope)


def at_threshold(labels: Any, predictions: Any, weights: Any, threshold: float) -> dict[str, Any]:
    """Returns accuracy, precision and recall at one threshold of the probability."""
    key = MetricKeys.ACCURACY_AT_THRESHOLD % threshold
    with v1.name_scope(key, f"accuracy_at_{threshold}", (predictions, labels, weights, threshold)) as scope:
        positive = tf.cast(tf.greater_equal(predictions, threshold), tf.float32)
        metrics = {key: v1.metrics.accuracy(labels, positive, weights=weights, name=scope)}
    for pattern, metric, inner in (
        (MetricKeys.PRECISION_AT_THRESHOLD, v1.metrics.precision_at_thresholds, "precision_at"),
        (MetricKeys.RECALL_AT_THRESHOLD, v1.metrics.recall_at_thresholds, "recall_at"),
    ):
        key = pattern % threshold
        with v1.name_scope(key, f"{inner}_{threshold}", (predictions, labels, weights, threshold)) as scope:
            value, update = metric(labels, predictions, thresholds=(threshold,), weights=weights, name=scope)
            metrics[key] = (tf.squeeze(value), tf.squeeze(update))
    return metrics


def _broadcast(weights: Any, values: Any) -> Any:
    return None if weights is None else broadcast_weights(weights, values)
