"""Counts of true and false decisions at thresholds, and the metrics computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.metrics.metric_ops.collecting import collected
from tf2bridge.internals.ops import metrics_impl, weights_broadcast_ops

v1 = tf.compat.v1

EPSILON = 1e-7
_NAMES = {"tp": "true_positives", "fn": "false_negatives", "tn": "true_negatives", "fp": "false_positives"}

Counts = dict[str, Any]


def counts_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None, includes: Sequence[str] = ()
) -> tuple[Counts, Counts]:
    """Returns ({kind: variable [thresholds]}, {kind: update op}) for the kinds "tp", "fn", "tn" and "fp" (or some)."""
    predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(predictions, labels, weights)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    kinds = [kind for kind in _NAMES if not includes or kind in includes]
    rows = len(thresholds)
    column = v1.reshape(predictions, [-1, 1])
    row = v1.reshape(v1.cast(labels, dtype=tf.bool), [1, -1])
    size = column.get_shape().as_list()[0]
    if size is None:
        size = v1.shape(column)[0]
    tiled = v1.tile(v1.expand_dims(tf.constant(thresholds), [1]), v1.stack([1, size]))
    predicted = {"p": v1.greater(v1.tile(v1.transpose(column), [rows, 1]), tiled)}
    if {"fn", "tn"} & set(kinds):
        predicted["n"] = v1.logical_not(predicted["p"])
    true = {True: v1.tile(row, [rows, 1])}
    if {"fp", "tn"} & set(kinds):
        true[False] = v1.logical_not(true[True])
    if weights is not None:
        weights = weights_broadcast_ops.broadcast_weights(v1.cast(weights, tf.float32), predictions)
        weights = v1.tile(v1.reshape(weights, [1, -1]), [rows, 1])
        tiled.get_shape().assert_is_compatible_with(weights.get_shape())
    values: Counts = {}
    updates: Counts = {}
    for kind in kinds:
        values[kind] = metrics_impl.metric_variable([rows], tf.float32, name=_NAMES[kind])
        is_kind = v1.cast(v1.logical_and(true[kind in ("tp", "fn")], predicted[kind[1]]), tf.float32)
        if weights is not None:
            is_kind *= weights
        updates[kind] = v1.assign_add(values[kind], v1.reduce_sum(is_kind, 1))
    return values, updates


def _one_kind(kind: str) -> Any:
    def streaming(predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None) -> tuple[Any, Any]:
        values, updates = counts_at_thresholds(predictions, labels, thresholds, weights, (kind,))
        return values[kind], updates[kind]

    streaming.__name__ = streaming.__qualname__ = f"streaming_{_NAMES[kind]}_at_thresholds"
    streaming.__doc__ = f"Returns (the number of {_NAMES[kind].replace('_', ' ')} at each threshold, update op)."
    return streaming


streaming_true_positives_at_thresholds = _one_kind("tp")
streaming_false_negatives_at_thresholds = _one_kind("fn")
streaming_true_negatives_at_thresholds = _one_kind("tn")
streaming_false_positives_at_thresholds = _one_kind("fp")


def evenly(count: int) -> list[float]:
    """Returns `count` thresholds from just below 0 to just above 1."""
    inner = [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)]
    return [0.0 - EPSILON, *inner, 1.0 + EPSILON]


def _rate_at_thresholds(kind: str, opposite: str, rate: str) -> Any:
    def streaming(
        predictions: Any,
        labels: Any,
        thresholds: Sequence[float],
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> tuple[Any, Any]:
        with v1.variable_scope(name, f"{rate}_at_thresholds", (predictions, labels, weights)):
            values, updates = counts_at_thresholds(predictions, labels, thresholds, weights, (kind, opposite))
            short = f"{kind[0]}{kind[1]}r"
            value = v1.div(values[kind], EPSILON + values[kind] + values[opposite], name=f"{short}_value")
            update = v1.div(updates[kind], EPSILON + updates[kind] + updates[opposite], name=f"{short}_update_op")
            return collected(value, update, metrics_collections, updates_collections)

    streaming.__name__ = streaming.__qualname__ = f"streaming_{rate}_at_thresholds"
    streaming.__doc__ = f"Returns (the {rate.replace('_', ' ')} at each threshold, update op)."
    return streaming


streaming_false_positive_rate_at_thresholds = _rate_at_thresholds("fp", "tn", "false_positive_rate")
streaming_false_negative_rate_at_thresholds = _rate_at_thresholds("fn", "tp", "false_negative_rate")


def _rate(kind: str, opposite: str, rate: str) -> Any:
    def streaming(
        predictions: Any,
        labels: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> tuple[Any, Any]:
        with v1.variable_scope(name, rate, (predictions, labels, weights)):
            predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(
                predictions=v1.cast(predictions, dtype=tf.bool), labels=v1.cast(labels, dtype=tf.bool), weights=weights
            )
            counts = [
                getattr(v1.metrics, _NAMES[count_kind])(labels, predictions, weights) for count_kind in (kind, opposite)
            ]
            (wrong, wrong_update), (right, right_update) = counts
            value = _share(wrong, right, "value")
            update = _share(wrong_update, right_update, "update_op")
            return collected(value, update, metrics_collections, updates_collections)

    streaming.__name__ = streaming.__qualname__ = f"streaming_{rate}"
    streaming.__doc__ = f"Returns (the {rate.replace('_', ' ')} of boolean predictions, update op)."
    return streaming


def _share(part: Any, remainder: Any, name: str) -> Any:
    return v1.where(v1.greater(part + remainder, 0), v1.div(part, part + remainder), 0, name)


streaming_false_positive_rate = _rate("fp", "tn", "false_positive_rate")
streaming_false_negative_rate = _rate("fn", "tp", "false_negative_rate")


def streaming_curve_points(
    labels: Any = None,
    predictions: Any = None,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (points of the curve [num_thresholds, 2], update op).

    A point is (false positive rate, recall), or for "PR" (recall, precision).

    Raises:
        ValueError: the curve is unknown.
    """
    with v1.variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        values, updates = counts_at_thresholds(predictions, labels, evenly(num_thresholds), weights)
        points = v1.stack(_points(values, curve), axis=1)
        return collected(points, v1.group(*updates.values()), metrics_collections, updates_collections)


def _points(count: Counts, curve: str) -> tuple[Any, Any]:
    epsilon = 1e-6
    recall = v1.div(count["tp"] + epsilon, count["tp"] + count["fn"] + epsilon)
    if curve == "ROC":
        return v1.div(count["fp"], count["fp"] + count["tn"] + epsilon), recall
    return recall, v1.div(count["tp"] + epsilon, count["tp"] + count["fp"] + epsilon)


def recall_at_precision(
    labels: Any,
    predictions: Any,
    precision: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
    strict_mode: bool = False,
) -> tuple[Any, Any]:
    """Returns (recall, update op) at the threshold whose precision is nearest to `precision`.

    With `strict_mode` the precision of the threshold is at least `precision`.

    Raises:
        ValueError: `precision` is outside [0, 1].
    """
    if not 0 <= precision <= 1:
        raise ValueError(f"precision must be within [0, 1], not {precision}")
    with v1.variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(predictions, labels, evenly(num_thresholds), weights)
        recall = _recall_at(values, precision, "value", strict_mode)
        update = _recall_at(updates, precision, "update_op", strict_mode)
        return collected(recall, update, metrics_collections, updates_collections)


def _recall_at(count: Counts, precision: float, name: str, strict: bool) -> Any:
    tp, fn = count["tp"], count["fn"]
    precisions = v1.div(tp, tp + count["fp"] + EPSILON)
    if not strict:
        nearest = v1.argmin(v1.abs(precisions - precision), 0, output_type=tf.int32)
        return v1.div(tp[nearest], tp[nearest] + fn[nearest] + EPSILON, name)
    nearest = v1.argmax(v1.div(1.0, precisions - precision + EPSILON), 0, output_type=tf.int32)
    return v1.cond(
        precisions[nearest] >= precision,
        lambda: v1.div(tp[nearest], tp[nearest] + fn[nearest] + EPSILON, name),
        lambda: 0.0,
    )


def precision_at_recall(
    labels: Any,
    predictions: Any,
    target_recall: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (precision, update op) at the highest threshold whose recall is at least `target_recall`.

    Raises:
        ValueError: `target_recall` is outside [0, 1].
        RuntimeError: eager mode is on.
    """
    if tf.executing_eagerly():
        raise RuntimeError("precision_at_recall keeps variables of a graph: it does not run eagerly")
    if target_recall < 0 or target_recall > 1:
        raise ValueError(f"target_recall must be within [0, 1], not {target_recall}")
    with v1.variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(predictions, labels, evenly(num_thresholds), weights)
        precision = _precision_at(values, target_recall, "value")
        update = _precision_at(updates, target_recall, "update_op")
        return collected(precision, update, metrics_collections, updates_collections)


def _precision_at(count: Counts, recall: float, name: str) -> Any:
    tp, fp = count["tp"], count["fp"]
    recalls = v1.div(tp, tp + count["fn"] + EPSILON)
    last = v1.reduce_sum(v1.cast(v1.greater_equal(recalls, recall), tf.int64)) - 1
    return v1.div(tp[last] + EPSILON, tp[last] + fp[last] + EPSILON, name)
