"""`tf.contrib.metrics`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.metrics"
_HERE = "tf2bridge.contrib.metrics"

_SWITCHED = (
    "sparse_recall_at_top_k streaming_accuracy streaming_auc streaming_false_negatives streaming_false_positives "
    "streaming_mean streaming_mean_absolute_error streaming_mean_iou streaming_mean_relative_error "
    "streaming_mean_squared_error streaming_mean_tensor streaming_percentage_less streaming_precision "
    "streaming_precision_at_thresholds streaming_recall streaming_recall_at_k streaming_recall_at_thresholds "
    "streaming_root_mean_squared_error streaming_sensitivity_at_specificity streaming_sparse_average_precision_at_k "
    "streaming_sparse_average_precision_at_top_k streaming_sparse_precision_at_k streaming_sparse_precision_at_top_k "
    "streaming_sparse_recall_at_k streaming_specificity_at_sensitivity streaming_true_negatives "
    "streaming_true_positives"
)
_THRESHOLDS = (
    "precision_at_recall recall_at_precision streaming_curve_points streaming_false_negative_rate "
    "streaming_false_negative_rate_at_thresholds streaming_false_negatives_at_thresholds "
    "streaming_false_positive_rate streaming_false_positive_rate_at_thresholds "
    "streaming_false_positives_at_thresholds streaming_true_negatives_at_thresholds "
    "streaming_true_positives_at_thresholds"
)
_MOMENTS = "count streaming_covariance streaming_mean_cosine_distance streaming_pearson_correlation"
_ACCUMULATED = "auc_with_confidence_intervals streaming_concat streaming_dynamic_auc"

OWN = {
    **names(_PATH, f"{_HERE}.metric_ops.switched", _SWITCHED),
    **names(_PATH, f"{_HERE}.metric_ops.thresholds", _THRESHOLDS),
    **names(_PATH, f"{_HERE}.metric_ops.equal_thresholds", "precision_recall_at_equal_thresholds"),
    **names(_PATH, f"{_HERE}.metric_ops.moments", _MOMENTS),
    **names(_PATH, f"{_HERE}.metric_ops.accumulated", _ACCUMULATED),
    **names(_PATH, f"{_HERE}.classification", "accuracy f1_score"),
    **names(_PATH, f"{_HERE}.histogram_ops", "auc_using_histogram"),
    **names(_PATH, f"{_HERE}.metric_ops.kappa", "cohen_kappa"),
    **names(_PATH, f"{_HERE}.confusion_matrix_ops", "confusion_matrix"),
    **names(_PATH, f"{_HERE}.metric_ops.collecting", "aggregate_metric_map aggregate_metrics"),
    f"{_PATH}.python.ops.histogram_ops._strict_1d_cumsum": f"{_HERE}.histogram_ops:strict_1d_cumsum",
    f"{_PATH}.python.ops.metric_ops._next_array_size": f"{_HERE}.metric_ops.accumulated:next_size",
}

ALIASES = {
    **same(_PATH, "sets", "set_size"),
    **{f"{_PATH}.set_{name}": f"sets.{name}" for name in ("difference", "intersection", "union")},
}
