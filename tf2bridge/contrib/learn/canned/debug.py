"""The debug models of contrib.learn, which predict a bias and ignore the features, and LogisticRegressor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.optimizers.optimize_loss import optimize_loss
from tf2bridge.contrib.learn.canned.network import by_name
from tf2bridge.contrib.learn.canned.predicting import values
from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.estimators.model_fn import ModelFnOps, PredictionKey, ProblemType
from tf2bridge.contrib.learn.heads.functions import multi_class_head, regression_head
from tf2bridge.contrib.learn.heads.metric_key import MetricKey
from tf2bridge.contrib.learn.preprocessing.text import ModeKeys

v1 = tf.compat.v1


def debug_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> Any:
    """Returns the ModelFnOps of logits that are 0. Raises ValueError without features."""
    del config
    features = by_name(features)
    if not features:
        raise ValueError("Features cannot be empty.")
    head = params["head"]
    sizes = [tf.shape(feature)[0] for feature in features.values()]
    checks = [v1.assert_equal(sizes[0], size) for size in sizes[1:]]
    with tf.control_dependencies(checks):
        logits = tf.zeros([sizes[0], head.logits_dimension])

    def train_op_fn(loss: Any) -> Any:
        return optimize_loss(loss, global_step=None, learning_rate=0.3, optimizer="Adagrad")

    return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


class DebugClassifier(Estimator):
    """Predicts the frequency of each class."""

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_keys: Any = None,
    ) -> None:
        head = multi_class_head(
            n_classes=n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=True,
            label_keys=label_keys,
        )
        super().__init__(debug_model_fn, model_dir, config, {"head": head}, feature_engineering_fn)

    def predict_classes(self, input_fn: Any = None, batch_size: int | None = None) -> Iterator[Any]:
        """Yields the class of each example."""
        predictions = self.predict(input_fn=input_fn, batch_size=batch_size, outputs=[PredictionKey.CLASSES])
        return values(predictions, PredictionKey.CLASSES)

    def predict_proba(self, input_fn: Any = None, batch_size: int | None = None) -> Iterator[Any]:
        """Yields the probabilities of each example."""
        predictions = self.predict(input_fn=input_fn, batch_size=batch_size, outputs=[PredictionKey.PROBABILITIES])
        return values(predictions, PredictionKey.PROBABILITIES)


class DebugRegressor(Estimator):
    """Predicts the mean label."""

    def __init__(
        self,
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column_name: str | None = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        head = regression_head(
            weight_column_name=weight_column_name, label_dimension=label_dimension, enable_centered_bias=True
        )
        super().__init__(debug_model_fn, model_dir, config, {"head": head}, feature_engineering_fn)

    def predict_scores(self, input_fn: Any = None, batch_size: int | None = None) -> Iterator[Any]:
        """Yields the score of each example."""
        predictions = self.predict(input_fn=input_fn, batch_size=batch_size, outputs=[PredictionKey.SCORES])
        return values(predictions, PredictionKey.SCORES)


def LogisticRegressor(  # noqa: N802  # the genuine name, of a function
    model_fn: Callable[..., Any],
    thresholds: Sequence[float] | None = None,
    model_dir: str | None = None,
    config: Any = None,
    feature_engineering_fn: Any = None,
) -> Estimator:
    """Returns an Estimator with the metrics of logistic regression.

    `model_fn(features, labels, mode)` returns (predictions, loss, train_op); predictions are probabilities.
    """

    def with_metrics(features: Any, labels: Any, mode: str, params: dict[str, Any]) -> ModelFnOps:
        predictions, loss, train_op = model_fn(features, labels, mode)
        rows = _metrics(labels, predictions, params["thresholds"] or [0.5]) if mode == ModeKeys.EVAL else None
        alternatives = {"head": (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})}
        return ModelFnOps(mode, predictions, loss, train_op, rows, alternatives)

    params = {"thresholds": thresholds}
    return Estimator(with_metrics, model_dir, config, params, feature_engineering_fn)


def _metrics(labels: Any, predictions: Any, thresholds: Sequence[float]) -> dict[str, Any]:
    labels = next(iter(labels.values())) if isinstance(labels, dict) and len(labels) == 1 else labels
    rows = {
        MetricKey.PREDICTION_MEAN: v1.metrics.mean(predictions),
        MetricKey.LABEL_MEAN: v1.metrics.mean(labels),
        MetricKey.ACCURACY_BASELINE: v1.metrics.mean(labels),
        MetricKey.AUC: v1.metrics.auc(labels, predictions),
    }
    for threshold in thresholds:
        name = f"predictions_at_threshold_{threshold:f}"
        positive = tf.cast(tf.greater_equal(predictions, threshold), tf.float32, name=name)
        rows[MetricKey.ACCURACY_MEAN % threshold] = v1.metrics.accuracy(labels, positive)
        rows[MetricKey.PRECISION_MEAN % threshold] = v1.metrics.precision(labels, positive)
        rows[MetricKey.RECALL_MEAN % threshold] = v1.metrics.recall(labels, positive)
    return rows
