"""The metrics that `tf.metrics` also has. In this module predictions come before labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import metrics_impl

v1 = tf.compat.v1

Metric = Callable[..., tuple[Any, Any]]


def _of_predictions(metric: str) -> Metric:
    """Returns `tf.metrics.METRIC` as a function of (predictions, labels, weights, collections, name)."""

    def streaming(
        predictions: Any,
        labels: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        return getattr(v1.metrics, metric)(
            predictions=predictions,
            labels=labels,
            weights=weights,
            metrics_collections=metrics_collections,
            updates_collections=updates_collections,
            name=name,
        )

    streaming.__name__ = streaming.__qualname__ = f"streaming_{metric}"
    streaming.__doc__ = f"Returns (value, update op) of tf.metrics.{metric}."
    return streaming


def _of_values(metric: str) -> Metric:
    """Returns `tf.metrics.METRIC` as a function of (values, weights, collections, name)."""

    def streaming(
        values: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        return getattr(v1.metrics, metric)(values, weights, metrics_collections, updates_collections, name)

    streaming.__name__ = streaming.__qualname__ = f"streaming_{metric}"
    streaming.__doc__ = f"Returns (value, update op) of tf.metrics.{metric}."
    return streaming


def _at_k(metric: str, name: str) -> Metric:
    """Returns `tf.metrics.METRIC` as a function of (predictions, labels, k, class_id, weights, collections, name)."""

    def streaming(
        predictions: Any,
        labels: Any,
        k: int,
        class_id: int | None = None,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        return getattr(v1.metrics, metric)(
            labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name
        )

    streaming.__name__ = streaming.__qualname__ = name
    streaming.__doc__ = f"Returns (value, update op) of tf.metrics.{metric}: scores [..., classes], labels [..., any]."
    return streaming


def _at_thresholds(metric: str) -> Metric:
    """Returns `tf.metrics.METRIC` as a function of (predictions, labels, thresholds, weights, collections, name)."""

    def streaming(
        predictions: Any,
        labels: Any,
        thresholds: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        return getattr(v1.metrics, metric)(
            labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
        )

    streaming.__name__ = streaming.__qualname__ = f"streaming_{metric}"
    streaming.__doc__ = f"Returns (values [thresholds], update op) of tf.metrics.{metric}."
    return streaming


streaming_accuracy = _of_predictions("accuracy")
streaming_precision = _of_predictions("precision")
streaming_recall = _of_predictions("recall")
streaming_true_positives = _of_predictions("true_positives")
streaming_true_negatives = _of_predictions("true_negatives")
streaming_false_positives = _of_predictions("false_positives")
streaming_false_negatives = _of_predictions("false_negatives")
streaming_mean_absolute_error = _of_predictions("mean_absolute_error")
streaming_mean_squared_error = _of_predictions("mean_squared_error")
streaming_root_mean_squared_error = _of_predictions("root_mean_squared_error")
streaming_mean = _of_values("mean")
streaming_mean_tensor = _of_values("mean_tensor")
streaming_sparse_recall_at_k = _at_k("recall_at_k", "streaming_sparse_recall_at_k")
streaming_sparse_precision_at_k = _at_k("precision_at_k", "streaming_sparse_precision_at_k")
streaming_precision_at_thresholds = _at_thresholds("precision_at_thresholds")
streaming_recall_at_thresholds = _at_thresholds("recall_at_thresholds")


def streaming_auc(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.auc."""
    return v1.metrics.auc(
        labels, predictions, weights, num_thresholds, metrics_collections, updates_collections, curve, name
    )


def streaming_specificity_at_sensitivity(
    predictions: Any,
    labels: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.specificity_at_sensitivity."""
    return v1.metrics.specificity_at_sensitivity(
        labels, predictions, sensitivity, weights, num_thresholds, metrics_collections, updates_collections, name
    )


def streaming_sensitivity_at_specificity(
    predictions: Any,
    labels: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.sensitivity_at_specificity."""
    return v1.metrics.sensitivity_at_specificity(
        labels, predictions, specificity, weights, num_thresholds, metrics_collections, updates_collections, name
    )


def streaming_mean_relative_error(
    predictions: Any,
    labels: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.mean_relative_error."""
    return v1.metrics.mean_relative_error(
        labels, predictions, normalizer, weights, metrics_collections, updates_collections, name
    )


def streaming_mean_iou(
    predictions: Any,
    labels: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.mean_iou."""
    return v1.metrics.mean_iou(
        labels, predictions, num_classes, weights, metrics_collections, updates_collections, name
    )


def streaming_percentage_less(
    values: Any,
    threshold: float,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.percentage_below."""
    return v1.metrics.percentage_below(values, threshold, weights, metrics_collections, updates_collections, name)


def streaming_sparse_average_precision_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of tf.metrics.average_precision_at_k."""
    return v1.metrics.average_precision_at_k(
        labels, predictions, k, weights, metrics_collections, updates_collections, name
    )


def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of the average precision of classes [..., k], best first."""
    return metrics_impl._streaming_sparse_average_precision_at_top_k(
        labels, top_k_predictions, weights, metrics_collections, updates_collections, name
    )


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of the precision of classes [..., k], best first."""
    with v1.name_scope(name, _name_at_k("precision", class_id), (top_k_predictions, labels, weights)) as scope:
        return v1.metrics.precision_at_top_k(
            labels, top_k_predictions, None, class_id, weights, metrics_collections, updates_collections, scope
        )


def sparse_recall_at_top_k(
    labels: Any,
    top_k_predictions: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op) of the recall of classes [..., k], best first."""
    with v1.name_scope(name, _name_at_k("recall", class_id), (top_k_predictions, labels, weights)) as scope:
        return v1.metrics.recall_at_top_k(
            labels, top_k_predictions, None, class_id, weights, metrics_collections, updates_collections, scope
        )


def _name_at_k(name: str, class_id: int | None) -> str:
    return f"{name}_at_k" if class_id is None else f"{name}_at_k_class{class_id}"


def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns (value, update op): the fraction of labels [batch] among the `k` highest scores [batch, classes]."""
    hits = v1.cast(v1.nn.in_top_k(predictions, labels, k), tf.float32)
    return streaming_mean(hits, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")
