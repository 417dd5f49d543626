"""Covariance, correlation and cosine distance of predictions and labels, and counts."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.metrics.metric_ops.collecting import collected
from tf2bridge.contrib.metrics.metric_ops.switched import streaming_mean
from tf2bridge.internals.ops import metrics_impl, weights_broadcast_ops

v1 = tf.compat.v1


def streaming_covariance(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (unbiased sample covariance, update op). Fewer than two examples give nan.

    Batches are combined by the formula of Chan, Golub and LeVeque (Stanford technical report STAN-CS-79-773).
    """
    with v1.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        names = ("count", "mean_prediction", "mean_label", "comoment")
        count, mean_prediction, mean_label, comoment = (
            metrics_impl.metric_variable([], tf.float32, name=variable_name) for variable_name in names
        )
        if weights is None:
            batch = v1.cast(v1.size(labels), tf.float32)
            weighted = (predictions, labels)
        else:
            weights = weights_broadcast_ops.broadcast_weights(weights, labels)
            batch = v1.reduce_sum(weights)
            weighted = (v1.multiply(predictions, weights), v1.multiply(labels, weights))
        new_count = v1.assign_add(count, batch)
        old_count = new_count - batch
        batch_prediction, old_prediction = _joined_mean(weighted[0], mean_prediction, batch, new_count)
        batch_label, old_label = _joined_mean(weighted[1], mean_label, batch, new_count)
        residuals = (predictions - batch_prediction) * (labels - batch_label)
        moment = v1.reduce_sum(residuals if weights is None else residuals * weights)
        moment += (old_prediction - batch_prediction) * (old_label - batch_label) * (old_count * batch / new_count)
        updated = v1.assign_add(comoment, moment)
        value = _covariance(comoment, count, "covariance")
        with tf.control_dependencies([updated]):
            update = _covariance(comoment, count, "update_op")
    return collected(value, update, metrics_collections, updates_collections)


def _joined_mean(values: Any, mean: Any, batch: Any, count: Any) -> tuple[Any, Any]:
    """Updates the variable `mean`, and returns (mean of this batch, old mean)."""
    batch_mean = v1.div_no_nan(v1.reduce_sum(values), batch)
    change = v1.div_no_nan((batch_mean - mean) * batch, count)
    return batch_mean, v1.assign_add(mean, change) - change


def _covariance(comoment: Any, count: Any, name: str) -> Any:
    return v1.where(v1.less_equal(count, 1.0), float("nan"), v1.truediv(comoment, count - 1), name=name)


def streaming_pearson_correlation(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (Pearson's coefficient of correlation, update op)."""
    with v1.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        if weights is not None:
            weights = weights_broadcast_ops.broadcast_weights(weights, labels)
        covariance = streaming_covariance(predictions, labels, weights=weights, name="covariance")
        prediction_variance = streaming_covariance(
            predictions, predictions, weights=weights, name="variance_predictions"
        )
        label_variance = streaming_covariance(labels, labels, weights=weights, name="variance_labels")
        value, update = (
            v1.truediv(
                covariance[i],
                v1.multiply(v1.sqrt(prediction_variance[i]), v1.sqrt(label_variance[i])),
                name=("pearson_r", "update_op")[i],
            )
            for i in (0, 1)
        )
    return collected(value, update, metrics_collections, updates_collections)


def streaming_mean_cosine_distance(
    predictions: Any,
    labels: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (1 - the mean dot product along `dim`, update op) of vectors of length 1."""
    predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(predictions, labels, weights)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    product = v1.reduce_sum(v1.multiply(predictions, labels), axis=[dim], keepdims=True)
    mean, update = streaming_mean(product, weights, None, None, name or "mean_cosine_distance")
    return collected(v1.subtract(1.0, mean), v1.subtract(1.0, update), metrics_collections, updates_collections)


def count(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (number of values or sum of weights, update op). Raises RuntimeError in eager mode."""
    if tf.executing_eagerly():
        raise RuntimeError("tf.contrib.metrics.count keeps variables of a graph: it does not run eagerly")
    with v1.variable_scope(name, "count", (values, weights)):
        total = metrics_impl.metric_variable([], tf.float32, name="count")
        if weights is None:
            number = v1.cast(v1.size(values), tf.float32)
        else:
            values = v1.cast(values, tf.float32)
            values, _, weights = metrics_impl._remove_squeezable_dimensions(
                predictions=values, labels=None, weights=weights
            )
            number = v1.reduce_sum(weights_broadcast_ops.broadcast_weights(v1.cast(weights, tf.float32), values))
        with tf.control_dependencies([values]):
            update = tf.convert_to_tensor(v1.assign_add(total, number))
        value = metrics_impl._aggregate_variable(total, metrics_collections)
        return collected(value, update, None, updates_collections)
