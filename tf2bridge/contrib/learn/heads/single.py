"""The heads with one loss: regression, two or more classes, several labels, support vector machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.estimators.model_fn import PredictionKey, ProblemType
from tf2bridge.contrib.learn.heads import metrics
from tf2bridge.contrib.learn.heads.head import SingleHead, exported_classes
from tf2bridge.contrib.learn.heads.metric_key import MetricKey
from tf2bridge.internals.ops import lookup_ops

v1 = tf.compat.v1


class RegressionHead(SingleHead):
    """A regression head. Predictions are `link_fn(logits)`."""

    _problem_type = ProblemType.LINEAR_REGRESSION
    _default_scope = "regression_head"

    def __init__(self, label_dimension: int, loss_fn: Any, link_fn: Callable[[Any], Any], **keywords: Any) -> None:
        super().__init__(label_dimension, loss_fn, **keywords)
        self._link_fn = link_fn

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with v1.name_scope(None, "predictions", (logits,)):
            if self._logits_dimension == 1:
                logits = tf.squeeze(logits, axis=(1,), name=PredictionKey.SCORES)
            return {PredictionKey.SCORES: self._link_fn(logits)}


class _TwoClassHead(SingleHead):
    """A head of two classes that uses the logit of the second class."""

    def __init__(self, loss_fn: Any, thresholds: Iterable[float] | None = None, **keywords: Any) -> None:
        super().__init__(1, loss_fn, **keywords)
        self._thresholds = thresholds or (0.5,)


class BinaryLogisticHead(_TwoClassHead):
    """Two classes, by logistic regression."""

    _problem_type = ProblemType.LOGISTIC_REGRESSION
    _default_scope = "binary_logistic_head"

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with v1.name_scope(None, "predictions", (logits,)):
            both = two_logits(logits)
            return {
                PredictionKey.LOGITS: logits,
                PredictionKey.LOGISTIC: tf.sigmoid(logits, name=PredictionKey.LOGISTIC),
                PredictionKey.PROBABILITIES: v1.nn.softmax(both, name=PredictionKey.PROBABILITIES),
                PredictionKey.CLASSES: v1.argmax(both, 1, name=PredictionKey.CLASSES),
            }

    def _own_metrics(self, predictions: Any, labels: Any, weights: Any) -> dict[str, metrics.Metric]:
        logistic, given = predictions[PredictionKey.LOGISTIC], (labels, weights)
        rows = {
            MetricKey.ACCURACY: v1.metrics.accuracy(labels, predictions[PredictionKey.CLASSES], weights),
            MetricKey.PREDICTION_MEAN: metrics.mean_prediction(logistic, weights),
            MetricKey.LABEL_MEAN: metrics.mean_label(*given),
            MetricKey.ACCURACY_BASELINE: metrics.mean_label(*given),
            MetricKey.AUC: metrics.area(logistic, *given),
            MetricKey.AUC_PR: metrics.area(logistic, *given, curve="PR"),
        }
        for threshold in self._thresholds:
            rows[MetricKey.ACCURACY_MEAN % threshold] = metrics.accuracy_at(logistic, *given, threshold)
            rows[MetricKey.PRECISION_MEAN % threshold] = metrics.precision_at(logistic, *given, threshold)
            rows[MetricKey.RECALL_MEAN % threshold] = metrics.recall_at(logistic, *given, threshold)
        return rows

    def _alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, exported_classes(predictions))}


class BinarySvmHead(_TwoClassHead):
    """Two classes, by the hinge loss."""

    _problem_type = ProblemType.LOGISTIC_REGRESSION
    _default_scope = "binary_svm_head"

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with v1.name_scope(None, "predictions", (logits,)):
            classes = v1.argmax(two_logits(logits), 1, name=PredictionKey.CLASSES)
            return {PredictionKey.LOGITS: logits, PredictionKey.CLASSES: classes}

    def _own_metrics(self, predictions: Any, labels: Any, weights: Any) -> dict[str, metrics.Metric]:
        return {MetricKey.ACCURACY: v1.metrics.accuracy(labels, predictions[PredictionKey.CLASSES], weights)}


class _ClassesHead(SingleHead):
    """Several classes. The classes `metric_class_ids` have their own metrics."""

    _problem_type = ProblemType.CLASSIFICATION

    def __init__(
        self,
        n_classes: int,
        loss_fn: Any,
        thresholds: Iterable[float] | None = None,
        metric_class_ids: Iterable[int] | None = None,
        **keywords: Any,
    ) -> None:
        super().__init__(n_classes, loss_fn, **keywords)
        self._thresholds = thresholds or (0.5,)
        self._metric_class_ids = tuple(metric_class_ids or ())
        for class_id in self._metric_class_ids:
            if not 0 <= class_id < n_classes:
                raise ValueError(f"Class ID {class_id} not in [0, {n_classes}).")


class MultiClassHead(_ClassesHead):
    """One of several classes; with `label_keys` labels and classes are their names."""

    _default_scope = "multi_class_head"

    def __init__(self, n_classes: int, loss_fn: Any, label_keys: Any = None, **keywords: Any) -> None:
        if n_classes is None or n_classes <= 2:
            raise ValueError(f"n_classes must be > 2: {n_classes}.")
        super().__init__(n_classes, loss_fn, **keywords)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._label_keys = label_keys

    def _transform_labels(self, labels: Any) -> Any:
        labels = super()._transform_labels(labels)
        if not self._label_keys:
            return {"labels": labels, "label_ids": labels}
        table = lookup_ops.index_table_from_tensor(self._label_keys, name="label_id_lookup")
        return {"labels": labels, "label_ids": table.lookup(labels)}

    def _loss(self, labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        return super()._loss(labels["label_ids"], logits, weights)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with v1.name_scope(None, "predictions", (logits,)):
            classes = v1.argmax(logits, 1, name=PredictionKey.CLASSES)
            if self._label_keys:
                table = lookup_ops.index_to_string_table_from_tensor(self._label_keys, name="class_string_lookup")
                classes = table.lookup(classes)
            return {
                PredictionKey.LOGITS: logits,
                PredictionKey.PROBABILITIES: v1.nn.softmax(logits, name=PredictionKey.PROBABILITIES),
                PredictionKey.CLASSES: classes,
            }

    def _metrics(self, loss: Any, predictions: Any, labels: Any, weights: Any) -> dict[str, Any]:
        return super()._metrics(loss, predictions, labels["labels"], weights)

    def _own_metrics(self, predictions: Any, labels: Any, weights: Any) -> dict[str, metrics.Metric]:
        classes = predictions[PredictionKey.CLASSES]
        rows = {MetricKey.ACCURACY: v1.metrics.accuracy(labels, classes, weights)}
        probabilities, logits = predictions[PredictionKey.PROBABILITIES], predictions[PredictionKey.LOGITS]
        for number in () if self._label_keys else self._metric_class_ids:
            rows[MetricKey.CLASS_PREDICTION_MEAN % number] = metrics.share_of_class(classes, weights, number)
            rows[MetricKey.CLASS_LABEL_MEAN % number] = metrics.share_of_class(labels, weights, number)
            rows[MetricKey.CLASS_PROBABILITY_MEAN % number] = metrics.mean_prediction(probabilities, weights, number)
            rows[MetricKey.CLASS_LOGITS_MEAN % number] = metrics.mean_prediction(logits, weights, number)
        return rows

    def _alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, exported_classes(predictions, self._label_keys))}


class MultiLabelHead(_ClassesHead):
    """Any number of several classes; labels are indicators, [batch, classes], or sparse class numbers."""

    _default_scope = "multi_label_head"

    def _transform_labels(self, labels: Any) -> Any:
        labels = labels[self._label_name] if isinstance(labels, dict) else labels
        labels = v1.convert_to_tensor_or_sparse_tensor(labels)
        if not isinstance(labels, tf.SparseTensor):
            return labels
        if self._logits_dimension < 2:
            raise ValueError("Must set num_classes >= 2 when passing labels as a SparseTensor.")
        return tf.cast(tf.sparse.to_indicator(labels, self._logits_dimension), tf.int64)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with v1.name_scope(None, "predictions", (logits,)):
            return {
                PredictionKey.LOGITS: logits,
                PredictionKey.PROBABILITIES: tf.sigmoid(logits, name=PredictionKey.PROBABILITIES),
                PredictionKey.CLASSES: tf.cast(tf.greater(logits, 0), tf.int64, name=PredictionKey.CLASSES),
            }

    def _own_metrics(self, predictions: Any, labels: Any, weights: Any) -> dict[str, metrics.Metric]:
        classes, given = predictions[PredictionKey.CLASSES], (labels, weights)
        probabilities, logits = predictions[PredictionKey.PROBABILITIES], predictions[PredictionKey.LOGITS]
        rows = {
            MetricKey.ACCURACY: v1.metrics.accuracy(labels, classes, weights),
            MetricKey.AUC: metrics.area(probabilities, *given),
            MetricKey.AUC_PR: metrics.area(probabilities, *given, curve="PR"),
        }
        for number in self._metric_class_ids:
            rows[MetricKey.CLASS_PREDICTION_MEAN % number] = metrics.mean_prediction(classes, weights, number)
            rows[MetricKey.CLASS_LABEL_MEAN % number] = metrics.mean_label(*given, number)
            rows[MetricKey.CLASS_PROBABILITY_MEAN % number] = metrics.mean_prediction(probabilities, weights, number)
            rows[MetricKey.CLASS_LOGITS_MEAN % number] = metrics.mean_prediction(logits, weights, number)
            rows[MetricKey.CLASS_AUC % number] = metrics.area(probabilities, *given, number)
            rows[MetricKey.CLASS_AUC_PR % number] = metrics.area(probabilities, *given, number, "PR")
        return rows

    def _alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, exported_classes(predictions))}


def two_logits(logits: Any) -> Any:
    """Returns the logits of both classes, [batch, 2]. The logit of class 0 is 0."""
    return tf.concat((tf.zeros_like(logits), logits), 1)
