"""Precision and recall at evenly spaced thresholds, counted in buckets."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.internals.ops import metrics_impl

v1 = tf.compat.v1


class PrecisionRecallData(NamedTuple):
    """The values at each threshold."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any
    precision: Any
    recall: Any
    thresholds: Any


def precision_recall_at_equal_thresholds(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> tuple[PrecisionRecallData, Any]:
    """Returns (values at `num_thresholds` (201) thresholds from 0 to 1, update op) for boolean `labels`.

    The session raises an error if a prediction is outside [0, 1].

    Raises:
        TypeError: the labels are not boolean.
    """
    count = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    v1.assert_type(labels, tf.bool)
    with v1.variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        message = "predictions must be in [0, 1]"
        checks = [
            v1.assert_greater_equal(predictions, v1.cast(0.0, dtype=predictions.dtype), message=message),
            v1.assert_less_equal(predictions, v1.cast(1.0, dtype=predictions.dtype), message=message),
        ]
        with tf.control_dependencies(checks):
            predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(
                predictions=predictions, labels=labels, weights=weights
            )
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        flags = v1.cast(labels, tf.float64)
        weights = v1.cast(weights, tf.float64)
        true, false = flags * weights, (1.0 - flags) * weights
        predictions, true, false = (v1.reshape(tensor, [-1]) for tensor in (predictions, true, false))
        buckets = v1.cast(v1.floor(predictions * (count - 1)), tf.int32)
        with v1.name_scope("variables"):
            tp_buckets = metrics_impl.metric_variable([count], tf.float64, name="tp_buckets")
            fp_buckets = metrics_impl.metric_variable([count], tf.float64, name="fp_buckets")
        with v1.name_scope("update_op"):
            locking = True if use_locking is None else use_locking
            updates = [
                v1.scatter_add(variable, buckets, values, use_locking=locking)
                for variable, values in ((tp_buckets, true), (fp_buckets, false))
            ]
        return _data(tp_buckets, fp_buckets, count, predictions.dtype), v1.group(*updates)


def _data(tp_buckets: Any, fp_buckets: Any, count: int, dtype: Any) -> PrecisionRecallData:
    tp = v1.cumsum(tp_buckets, reverse=True, name="tp")
    fp = v1.cumsum(fp_buckets, reverse=True, name="fp")
    tn = fp[0] - fp
    fn = tp[0] - tp
    epsilon = tf.convert_to_tensor(1e-7, dtype=tf.float64)
    precision = tp / v1.maximum(epsilon, tp + fp)
    recall = tp / v1.maximum(epsilon, tp + fn)
    values = [v1.cast(value, dtype) for value in (tp, fp, tn, fn, precision, recall)]
    return PrecisionRecallData._make([*values, v1.cast(v1.lin_space(0.0, 1.0, count), dtype)])
