"""`accuracy` and `f1_score` of predicted classes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.metrics.metric_ops.collecting import collected
from tf2bridge.contrib.metrics.metric_ops.thresholds import EPSILON, evenly
from tf2bridge.internals.ops import metrics_impl

v1 = tf.compat.v1


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Returns the fraction of `predictions` that equal `labels`, a float32 scalar of this batch.

    Raises:
        ValueError: the labels are not integers, booleans or strings, or the predictions have another dtype.
    """
    if not (labels.dtype.is_integer or labels.dtype in (tf.bool, tf.string)):
        raise ValueError(f"labels must be integers, booleans or strings, not {labels.dtype}")
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(f"predictions are {predictions.dtype} and labels {labels.dtype}: cast one of them")
    with v1.name_scope(name, "accuracy", values=[predictions, labels]):
        correct = v1.cast(v1.equal(predictions, labels), tf.float32)
        if weights is None:
            return v1.reduce_mean(correct)
        correct = v1.multiply(correct, weights)
        number = v1.multiply(weights, v1.ones_like(correct))
        return v1.div(v1.reduce_sum(correct), v1.reduce_sum(number))


def f1_score(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (the best F1 score over all thresholds, update op) of predictions within [0, 1]."""
    with v1.variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(
            predictions=predictions, labels=labels, weights=weights
        )
        values, updates = metrics_impl._confusion_matrix_at_thresholds(
            labels, predictions, evenly(num_thresholds), weights, includes=("tp", "fp", "fn")
        )
        best = _best_f1(values, "value")
        update = _best_f1(updates, "update")
        return collected(best, update, metrics_collections, updates_collections)


def _best_f1(counts: dict[str, Any], name: str) -> Any:
    precision = v1.div(counts["tp"], EPSILON + counts["tp"] + counts["fp"], name=f"precision_{name}")
    recall = v1.div(counts["tp"], EPSILON + counts["tp"] + counts["fn"], name=f"recall_{name}")
    return v1.reduce_max(2.0 * precision * recall / (precision + recall + EPSILON))
