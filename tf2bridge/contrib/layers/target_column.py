"""Targets of linear and deep models, which came before heads: labels, losses and predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.target_metrics import default_binary_metrics, evaluated, sorted_by_kind
from tf2bridge.contrib.losses.loss_ops import hinge_loss
from tf2bridge.contrib.metrics.metric_ops.switched import streaming_accuracy, streaming_mean

v1 = tf.compat.v1
Loss = Callable[[Any, Any], Any]


class ProblemType:
    """The kinds of problems."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class _TargetColumn:
    """A target: labels, and the loss of `logits`, [batch, num_label_columns]."""

    def __init__(
        self,
        loss_fn: Loss,
        num_label_columns: int,
        label_name: str | None,
        weight_column_name: str | None,
        problem_type: int,
    ) -> None:
        if num_label_columns is None:
            raise ValueError("a target needs num_label_columns")
        self._loss_fn = loss_fn
        self.num_label_columns = num_label_columns
        self.label_name = label_name
        self.weight_column_name = weight_column_name
        self.problem_type = problem_type

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """Returns the predictions of the logits, or with `proba` the probabilities."""
        raise NotImplementedError

    def get_eval_ops(self, features: Mapping[str, Any], logits: Any, labels: Any, metrics: Any = None) -> Any:
        """Returns {name of a metric: (value, update)}."""
        raise NotImplementedError

    def get_weight_tensor(self, features: Mapping[str, Any]) -> Any:
        """Returns the weights of the examples, [batch], or None."""
        if not self.weight_column_name:
            return None
        return tf.reshape(tf.cast(features[self.weight_column_name], tf.float32), shape=(-1,))

    def training_loss(self, logits: Any, target: Any, features: Mapping[str, Any], name: str = "training_loss") -> Any:
        """Returns the mean of the losses times the weights."""
        losses, weights = self._losses(logits, target, features)
        return tf.reduce_mean(losses if weights is None else losses * weights, name=name)

    def loss(self, logits: Any, target: Any, features: Mapping[str, Any]) -> Any:
        """Returns the mean of the losses weighted by the weights."""
        losses, weights = self._losses(logits, target, features)
        if weights is None:
            return tf.reduce_mean(losses, name="loss")
        return v1.div(tf.reduce_sum(losses * weights), tf.reduce_sum(weights), name="loss")

    def _losses(self, logits: Any, target: Any, features: Mapping[str, Any]) -> tuple[Any, Any]:
        losses = self._loss_fn(logits, target)
        weights = self.get_weight_tensor(features)
        return (losses, None) if weights is None else (tf.reshape(losses, shape=(-1,)), weights)


class _RegressionTargetColumn(_TargetColumn):
    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """Returns the logits. If there is one column, they have the shape [batch]."""
        del proba
        return tf.squeeze(logits, axis=[1]) if self.num_label_columns == 1 else logits

    def get_eval_ops(self, features: Mapping[str, Any], logits: Any, labels: Any, metrics: Any = None) -> Any:
        """Returns {name of a metric: (value, update)} for "loss" and `metrics`.

        `metrics` is {name: function of (predictions, labels, weights)}.
        """
        metric_ops = {"loss": streaming_mean(self.loss(logits, labels, features))}
        if metrics:
            predictions = self.logits_to_predictions(logits, proba=False)
            metric_ops.update(evaluated(predictions, labels, metrics, self.get_weight_tensor(features)))
        return metric_ops


class _MultiClassTargetColumn(_TargetColumn):
    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """Returns the class numbers, [batch], or the probabilities of all classes."""
        if self.num_label_columns == 1:
            logits = tf.concat([v1.zeros_like(logits), logits], 1)
        return v1.nn.softmax(logits) if proba else tf.argmax(logits, 1)

    def get_eval_ops(self, features: Mapping[str, Any], logits: Any, labels: Any, metrics: Any = None) -> Any:
        """Returns {name of a metric: (value, update)} for "loss" and `metrics`, by default "accuracy".

        Two classes also have the metrics of the threshold 0.5. A key of `metrics` is a name, or a pair of a name and
        "classes" or "probabilities", the input of the metric.

        Raises:
            ValueError: a key is neither.
        """
        metric_ops = {"loss": streaming_mean(self.loss(logits, labels, features))}
        if metrics is None:
            metrics = {("accuracy", "classes"): streaming_accuracy}
        probabilities = v1.sigmoid(logits)
        binary_labels = tf.cast(labels, tf.float32)
        if self.num_label_columns == 1:
            for name, metric in default_binary_metrics([0.5]).items():
                metric_ops[name] = metric(probabilities, binary_labels)
        for proba, chosen in zip((False, True), sorted_by_kind(metrics), strict=True):
            if chosen:
                predictions = self.logits_to_predictions(logits, proba=proba)
                metric_ops.update(evaluated(predictions, labels, chosen, self.get_weight_tensor(features)))
        return metric_ops


class _BinarySvmTargetColumn(_MultiClassTargetColumn):
    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Any:
        """Returns the class numbers, [batch]. Raises ValueError if `proba` is true."""
        if proba:
            raise ValueError("a support vector machine has no probabilities: leave out proba")
        return super().logits_to_predictions(logits)


def regression_target(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1
) -> Any:
    """Returns the target of a regression, whose loss is the squared error."""
    kind = ProblemType.LINEAR_REGRESSION
    return _RegressionTargetColumn(_squared, label_dimension, label_name, weight_column_name, kind)


def multi_class_target(n_classes: int, label_name: str | None = None, weight_column_name: str | None = None) -> Any:
    """Returns the target of a classification. Raises ValueError if there are fewer than two classes."""
    if n_classes < 2:
        raise ValueError(f"a classification needs two classes or more, not {n_classes}")
    loss, columns = (_two_classes, 1) if n_classes == 2 else (_classes, n_classes)
    kind = ProblemType.CLASSIFICATION
    return _MultiClassTargetColumn(loss, columns, label_name, weight_column_name, kind)


def binary_svm_target(label_name: str | None = None, weight_column_name: str | None = None) -> Any:
    """Returns the target of a support vector machine for two classes, whose loss is the hinge loss."""
    kind = ProblemType.CLASSIFICATION
    return _BinarySvmTargetColumn(_hinge, 1, label_name, weight_column_name, kind)


def _hinge(logits: Any, target: Any) -> Any:
    message = ["target's shape should be either [batch_size, 1] or [batch_size]"]
    with tf.control_dependencies([v1.Assert(tf.less_equal(tf.rank(target), 2), message)]):
        target = tf.reshape(target, shape=[tf.shape(target)[0], 1])
    return hinge_loss(logits, target)


def _squared(logits: Any, target: Any) -> Any:
    target = _as_column(target)
    logits.shape.assert_is_compatible_with(target.shape)
    return tf.math.squared_difference(logits, tf.cast(target, tf.float32))


def _two_classes(logits: Any, target: Any) -> Any:
    labels = tf.cast(_as_column(target), tf.float32)
    return v1.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def _classes(logits: Any, target: Any) -> Any:
    if not target.dtype.is_integer:
        raise ValueError(f"the labels of a classification must be integers, not {target.dtype.name}")
    labels = tf.squeeze(target, axis=[1]) if target.shape.rank == 2 else target
    return v1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


def _as_column(target: Any) -> Any:
    return tf.expand_dims(target, axis=1) if target.shape.rank == 1 else target
