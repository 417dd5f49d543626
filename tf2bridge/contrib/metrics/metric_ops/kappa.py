"""`cohen_kappa`: the agreement of two raters beyond chance."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.metrics.metric_ops.collecting import collected
from tf2bridge.internals.ops import metrics_impl

v1 = tf.compat.v1


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

    Raises:
        ValueError: there are fewer than two classes.
        RuntimeError: eager mode is on.
    """
    if tf.executing_eagerly():
        raise RuntimeError("tf.contrib.metrics.cohen_kappa keeps variables of a graph: it does not run eagerly")
    if num_classes < 2:
        raise ValueError(f"num_classes must be at least 2, not {num_classes}")
    with v1.variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = v1.squeeze(labels, axis=[-1])
        predicted, labels, weights = metrics_impl._remove_squeezable_dimensions(
            predictions=predictions_idx, labels=labels, weights=weights
        )
        predicted.get_shape().assert_is_compatible_with(labels.get_shape())
        counted = weights is None or weights.dtype.is_integer
        dtype = tf.int64 if counted else tf.float32
        variables = [
            metrics_impl.metric_variable((num_classes,), dtype, name=part) for part in ("po", "pe_row", "pe_col")
        ]
        table = v1.confusion_matrix(
            labels, predicted, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table"
        )
        counts = [v1.diag_part(table), v1.reduce_sum(table, axis=0), v1.reduce_sum(table, axis=1)]
        updates = [v1.assign_add(variable, increase) for variable, increase in zip(variables, counts, strict=True)]
        kappa = _kappa(variables, "value")
        update = _kappa(updates, "update_op")
        return collected(kappa, update, metrics_collections, updates_collections)


def _kappa(counts: list[Any], name: str) -> Any:
    agreed, rows, columns = counts
    seen = v1.reduce_sum(agreed)
    total = v1.reduce_sum(rows)
    by_chance = v1.div_no_nan(v1.cast(rows * columns, tf.float64), v1.cast(total, tf.float64))
    expected = v1.reduce_sum(by_chance)
    seen, expected, total = (v1.cast(tensor, tf.float64) for tensor in (seen, expected, total))
    return metrics_impl._safe_scalar_div(seen - expected, total - expected, name=name)
