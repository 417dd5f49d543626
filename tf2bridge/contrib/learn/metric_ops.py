"""Converts the metrics of `evaluate` to operations."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.metric_spec import MetricSpec


def with_updates(metrics: dict[str, Any]) -> dict[str, Any]:
    """Returns the metrics as pairs (value, update). A single tensor is evaluated after the last step."""
    return {name: metric if _is_pair(metric) else (metric, tf.no_op()) for name, metric in metrics.items()}


def _is_pair(metric: Any) -> bool:
    """Returns True if a metric is (value, update). A single tensor is evaluated after the last step."""
    return isinstance(metric, (list, tuple)) and len(metric) == 2


def metric_ops(metrics: dict[Any, Any], features: Any, labels: Any, predictions: Any) -> dict[str, Any]:
    """Returns (value, update) of each metric: a MetricSpec, or a function of predictions and labels.

    Raises:
        ValueError: there are several predictions, and a function has no key of a prediction.
    """
    single = next(iter(labels.values())) if isinstance(labels, dict) and len(labels) == 1 else labels
    ops = {}
    for name, metric in sorted(metrics.items(), key=lambda pair: str(pair[0])):
        if isinstance(metric, MetricSpec):
            ops[name] = metric.create_metric_ops(features, labels, predictions)
        elif isinstance(name, tuple):
            if len(name) != 2:
                raise ValueError(f"the metric {name!r} has {len(name)} parts: give its name and that of a prediction")
            label = labels.get(name[1], single) if isinstance(labels, dict) else labels
            ops[name[0]] = metric(predictions[name[1]], label)
        elif isinstance(predictions, dict):
            raise ValueError(f"the metric {name!r} needs a prediction: name it ({name!r}, key), or use a MetricSpec")
        else:
            ops[name] = metric(predictions, single)
    return ops
