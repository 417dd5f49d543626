"""Metrics of classes: accuracy, F1, Cohen's kappa, confusion, and the area under a histogram's curve."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.metrics.collecting import collected
from tf2bridge.contrib.metrics.thresholds import EPSILON, evenly
from tf2bridge.internals.ops import confusion_matrix as confusion
from tf2bridge.internals.ops import metrics_impl

v1 = tf.compat.v1


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Returns the share of `predictions` that equal `labels`, a float32 scalar of this batch.

    Raises ValueError for labels that are no integers, booleans or strings, or predictions of another type.
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


def _best_f1(found: dict[str, Any], name: str) -> Any:
    precision = v1.div(found["tp"], EPSILON + found["tp"] + found["fp"], name=f"precision_{name}")
    recall = v1.div(found["tp"], EPSILON + found["tp"] + found["fn"], name=f"recall_{name}")
    return v1.reduce_max(2.0 * precision * recall / (precision + recall + EPSILON))


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: int | None = None,
    dtype: Any = tf.int32,
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """Returns `tf.confusion_matrix`, whose last parameters have another order: [classes, classes]."""
    return v1.confusion_matrix(
        labels=labels, predictions=predictions, num_classes=num_classes, dtype=dtype, name=name, weights=weights
    )


def cohen_kappa(
    labels: Any,
    predictions_idx: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (Cohen's kappa, float64; update op) of classes below `num_classes`.

    Raises ValueError for fewer than two classes, RuntimeError in eager mode.
    """
    if tf.executing_eagerly():
        raise RuntimeError("tf.contrib.metrics.cohen_kappa keeps variables of a graph: it does not run eagerly")
    if num_classes < 2:
        raise ValueError(f"num_classes must be at least 2, not {num_classes}")
    with v1.variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = v1.squeeze(labels, axis=[-1])
        found, labels, weights = metrics_impl._remove_squeezable_dimensions(
            predictions=predictions_idx, labels=labels, weights=weights
        )
        found.get_shape().assert_is_compatible_with(labels.get_shape())
        whole = weights is None or weights.dtype.is_integer
        dtype = tf.int64 if whole else tf.float32
        variables = [
            metrics_impl.metric_variable((num_classes,), dtype, name=each) for each in ("po", "pe_row", "pe_col")
        ]
        table = v1.confusion_matrix(
            labels, found, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table"
        )
        counts = [v1.diag_part(table), v1.reduce_sum(table, axis=0), v1.reduce_sum(table, axis=1)]
        updates = [v1.assign_add(variable, each) for variable, each in zip(variables, counts, strict=True)]
        kappa = _kappa(variables, "value")
        update = _kappa(updates, "update_op")
        return collected(kappa, update, metrics_collections, updates_collections)


def _kappa(counts: list[Any], name: str) -> Any:
    agreed, rows, columns = counts
    seen = v1.reduce_sum(agreed)
    total = v1.reduce_sum(rows)
    by_chance = v1.div_no_nan(v1.cast(rows * columns, tf.float64), v1.cast(total, tf.float64))
    expected = v1.reduce_sum(by_chance)
    seen, expected, total = (v1.cast(each, tf.float64) for each in (seen, expected, total))
    return metrics_impl._safe_scalar_div(seen - expected, total - expected, name=name)


def auc_using_histogram(
    boolean_labels: Any,
    scores: Any,
    score_range: Any,
    nbins: int = 100,
    collections: Any = None,
    check_shape: bool = True,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (the area under the ROC curve of scores [batch], counted in `nbins` bins of `score_range`; update op).

    Raises ValueError for labels that are no booleans.
    """
    collections = [v1.GraphKeys.LOCAL_VARIABLES] if collections is None else collections
    with v1.variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        boolean_labels, scores = confusion.remove_squeezable_dimensions(boolean_labels, scores)
        score_range = tf.convert_to_tensor(score_range, name="score_range")
        labels, scores = _checked(boolean_labels, scores, check_shape)
        with v1.variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
            true = v1.histogram_fixed_width(
                v1.boolean_mask(scores, labels), score_range, nbins=nbins, dtype=tf.int64, name="hist_true"
            )
            others = v1.boolean_mask(scores, v1.logical_not(labels))
            false = v1.histogram_fixed_width(others, score_range, nbins=nbins, dtype=tf.int64, name="hist_false")
        with v1.variable_scope(None, "hist_accumulate", [true, false]):
            all_true, all_false = (_histogram(each, nbins, collections) for each in ("hist_true_acc", "hist_false_acc"))
            update = v1.group(all_true.assign_add(true), all_false.assign_add(false), name="update_op")
        return _area(all_true, all_false, nbins), update


def _checked(labels: Any, scores: Any, check_shape: bool) -> tuple[Any, Any]:
    with v1.name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = tf.convert_to_tensor(labels, name="boolean_labels")
        scores = tf.convert_to_tensor(scores, name="scores")
        if labels.dtype != tf.bool:
            raise ValueError(f"boolean_labels must be of type bool, not {labels.dtype}")
        if not check_shape:
            return labels, scores
        checks = []
        for role, tensor in (("boolean_labels", labels), ("scores", scores)):
            said = f"Argument {role} should have rank 1.  Found: "
            checks.append(v1.Assert(v1.equal(1, v1.rank(tensor)), [said, tensor.name, v1.shape(tensor)]))
        with tf.control_dependencies(checks):
            return labels, scores


def _histogram(name: str, bins: int, collections: Any) -> Any:
    zeros = v1.zeros_initializer()
    return v1.get_variable(
        name, shape=[bins], dtype=tf.int64, initializer=zeros, collections=collections, trainable=False
    )


def _area(true: Any, false: Any, bins: int) -> Any:
    """Trapezoids, from the highest score down."""
    share_true = v1.truediv(true, v1.reduce_sum(true))
    share_false = v1.truediv(false, v1.reduce_sum(false))
    rise = v1.cast(v1.reverse(share_true, [0], name="delta_y_t"), tf.float32)
    run = v1.cast(v1.reverse(share_false, [0], name="delta_x_t"), tf.float32)
    height = v1.cumsum(rise)
    first = run[0] * height[0] / 2.0
    others = run[1:] * (height[1:] + height[: bins - 1]) / 2.0
    return v1.add(first, v1.reduce_sum(others), name="auc")


def strict_1d_cumsum(tensor: Any, len_tensor: int) -> Any:
    """Returns the running sums of the first `len_tensor` values of a vector."""
    return v1.cumsum(tensor)[:len_tensor]
