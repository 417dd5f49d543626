"""Gives metrics of Keras models that are trained eagerly the names of 1.x, which metrics in graphs already have.

1.4 to 1.15 called `metrics=["accuracy"]` "acc" and "mae" "mean_absolute_error", and put "weighted_" before the names of
weighted metrics: histories, logs and `monitor=` of callbacks use them. tf_keras uses these names if it trains in a
graph (`get_metric_name` of training_utils_v1). If it trains eagerly, it uses the names as given.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put

_SHORT = ("accuracy", "acc", "crossentropy", "ce")
"""Metrics that depend on the output, and are none by themselves."""


def install() -> None:
    """Names them so for the whole process."""
    container: Any = importlib.import_module("tf_keras.src.engine.compile_utils").MetricsContainer
    put(container, "_get_metric_object", _named(container._get_metric_object))
    put(container, "_set_metric_names", _marked(container._set_metric_names))


def _named(made: Any) -> Any:
    @functools.wraps(made)
    def changed(self: Any, metric: Any, y_t: Any, y_p: Any) -> Any:
        made_metric = made(self, metric, y_t, y_p)
        if isinstance(metric, str):
            metrics: Any = importlib.import_module("tf_keras.src.metrics")
            if metric in _SHORT or not isinstance(metrics.get(metric), metrics.Metric):
                names: Any = importlib.import_module("tf_keras.src.engine.training_utils_v1")
                made_metric._name = names.get_metric_name(metric)
        return made_metric

    return changed


def _marked(named: Any) -> Any:
    @functools.wraps(named)
    def changed(self: Any) -> None:
        weighted = [metric for metrics in self._weighted_metrics for metric in metrics if metric is not None]
        for metric in [] if tf.__internal__.tf2.enabled() else weighted:  # as `get_metric_name` asks
            metric._name = f"weighted_{metric._name}"
        named(self)

    return changed
