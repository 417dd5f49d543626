"""Metrics of the targets of linear and deep models, with the names of 1.x."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.metrics.metric_ops.switched import (
    streaming_accuracy,
    streaming_auc,
    streaming_mean,
    streaming_precision_at_thresholds,
    streaming_recall_at_thresholds,
)

Metric = Callable[..., Any]

_KINDS = ("classes", "probabilities")


def default_binary_metrics(thresholds: list[float]) -> dict[str, Metric]:
    """Returns the metrics of two classes, as {name: function of (predictions, labels, weights)}."""
    known: dict[str, Metric] = {
        "labels/prediction_mean": lambda predictions, labels, weights=None: streaming_mean(  # noqa: ARG005
            predictions, weights=weights
        ),
        "labels/actual_target_mean": _mean_label,
        "accuracy/baseline_target_mean": _mean_label,
        "auc": lambda predictions, labels, weights=None: streaming_auc(predictions, labels, weights=_floats(weights)),
    }
    for threshold in thresholds:
        known[f"accuracy/threshold_{threshold:f}_mean"] = _accuracy_at(threshold)
        precision, recall = streaming_precision_at_thresholds, streaming_recall_at_thresholds
        known[f"precision/positive_threshold_{threshold:f}_mean"] = _at(precision, threshold)
        known[f"recall/positive_threshold_{threshold:f}_mean"] = _at(recall, threshold)
    return known


def evaluated(predictions: Any, labels: Any, metrics: Mapping[str, Metric], weights: Any) -> dict[str, Any]:
    """Returns {name: result} of the metrics. `weights` are not passed if they are None."""
    labels = tf.cast(labels, predictions.dtype)
    known = {} if weights is None else {"weights": weights}
    return {name: metric(predictions, labels, **known) for name, metric in metrics.items()}


def sorted_by_kind(metrics: Mapping[Any, Metric]) -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Returns the metrics of classes and the metrics of probabilities. Raises ValueError if a key is neither."""
    by_kind: dict[str, dict[str, Metric]] = {kind: {} for kind in _KINDS}
    for name, metric in metrics.items():
        pair = (name, "classes") if isinstance(name, str) else name
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[1] not in _KINDS:
            raise ValueError(
                f"the name of a metric must be a string or (string, 'classes' or 'probabilities'), not {name!r}"
            )
        by_kind[pair[1]][pair[0]] = metric
    return by_kind["classes"], by_kind["probabilities"]


def _mean_label(predictions: Any, labels: Any, weights: Any = None) -> Any:  # noqa: ARG001  # as all metrics
    return streaming_mean(labels, weights=weights)


def _accuracy_at(threshold: float) -> Metric:
    def accuracy(predictions: Any, labels: Any, weights: Any = None) -> Any:
        chosen = tf.cast(tf.greater_equal(predictions, threshold), tf.float32)
        return streaming_accuracy(predictions=chosen, labels=labels, weights=weights)

    return accuracy


def _at(metric: Metric, threshold: float) -> Metric:
    def measured(predictions: Any, labels: Any, weights: Any = None) -> Any:
        value, update = metric(predictions, labels=labels, thresholds=[threshold], weights=_floats(weights))
        return tf.squeeze(value), update

    return measured


def _floats(weights: Any) -> Any:
    return None if weights is None else tf.cast(weights, tf.float32)
