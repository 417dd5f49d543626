"""The first heads for two classes and for several."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads import classes
from tf2bridge.estimator.heads.checks import (
    checked_loss_fn,
    checked_n_classes,
    checked_thresholds,
    checked_vocabulary,
    dense_labels,
    float_logits,
    in_range,
    own_loss,
    weights_of,
)
from tf2bridge.estimator.heads.first import SUM, FirstHead, Loss
from tf2bridge.estimator.heads.first_metrics import accuracy_baseline, at_threshold, auc, mean
from tf2bridge.estimator.heads.keys import MetricKeys as M
from tf2bridge.estimator.heads.keys import PredictionKeys as P

v1 = tf.compat.v1


class BinaryHead(FirstHead):
    """Two classes: one logit, a sigmoid cross entropy."""

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = SUM,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        self._vocabulary = checked_vocabulary(label_vocabulary, kind=TypeError)
        self._thresholds = checked_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, name)
        self._loss_fn = checked_loss_fn(loss_fn)

    @property
    def logits_dimension(self) -> int:
        """1."""
        return 1

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Loss:
        """Labels are 0 and 1, of any dtype, or those of the vocabulary."""
        del mode
        logits = tf.convert_to_tensor(logits)
        labels = dense_labels(labels, logits, 1)
        if self._vocabulary is not None:
            labels = classes.string_to_index(self._vocabulary).lookup(labels)
        labels = in_range(tf.cast(labels, tf.float32), 2, verb="must")
        if self._loss_fn:
            loss = own_loss(self._loss_fn, labels, logits, features)
        else:
            loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return self._reduced(loss, weights_of(features, self._weight_column, logits), labels)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with v1.name_scope(None, "predictions", (logits,)):
            logits = float_logits(logits, 1)
            logistic = tf.sigmoid(logits, name=P.LOGISTIC)
            both = classes.two_class_logits(logits)
            probabilities = v1.nn.softmax(both, name=P.PROBABILITIES)
            ids = classes.class_ids(both)
            return {
                P.LOGITS: logits,
                P.LOGISTIC: logistic,
                P.PROBABILITIES: probabilities,
                P.CLASS_IDS: ids,
                P.ALL_CLASS_IDS: classes.all_class_ids(logits, 2),
                P.ALL_CLASSES: classes.all_classes(logits, 2, self._vocabulary),
                P.CLASSES: classes.chosen_classes(ids, self._vocabulary),
            }

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return classes.classifier_outputs(predictions, 2, self._vocabulary, predictions[P.LOGISTIC])

    def _metrics(self, loss: Loss, predictions: dict[str, Any], labels: Any) -> dict[str, Any]:
        labels, weights = loss.processed_labels, loss.weights
        ids, logistic = predictions[P.CLASS_IDS], predictions[P.LOGISTIC]
        with v1.name_scope(None, "metrics", (labels, logistic, ids, weights, loss.unreduced_loss)):
            label_mean = mean(labels, weights, M.LABEL_MEAN, "labels_mean")
            metrics = {
                M.LOSS_MEAN: v1.metrics.mean(loss.unreduced_loss, weights=weights, name=M.LOSS_MEAN),
                M.ACCURACY: v1.metrics.accuracy(labels, ids, weights=weights, name=M.ACCURACY),
                M.PRECISION: v1.metrics.precision(labels, ids, weights=weights, name=M.PRECISION),
                M.RECALL: v1.metrics.recall(labels, ids, weights=weights, name=M.RECALL),
                M.PREDICTION_MEAN: mean(logistic, weights, M.PREDICTION_MEAN, "predictions_mean"),
                M.LABEL_MEAN: label_mean,
                M.ACCURACY_BASELINE: accuracy_baseline(label_mean),
                M.AUC: auc(labels, logistic, weights, "ROC", M.AUC),
                M.AUC_PR: auc(labels, logistic, weights, "PR", M.AUC_PR),
            }
            for threshold in self._thresholds:
                metrics.update(at_threshold(labels, logistic, weights, threshold))
            return {self._key(key): pair for key, pair in metrics.items()}


class MultiClassHead(FirstHead):
    """More than two classes: a softmax cross entropy. Raises ValueError for fewer."""

    def __init__(
        self,
        n_classes: Any,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = SUM,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        self._n_classes = checked_n_classes(n_classes)
        self._vocabulary = checked_vocabulary(label_vocabulary)
        super().__init__(weight_column, loss_reduction, name)
        self._loss_fn = checked_loss_fn(loss_fn)

    @property
    def logits_dimension(self) -> Any:
        """The number of classes."""
        return self._n_classes

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Loss:
        """Labels are class numbers, or those of the vocabulary. Raises ValueError for another dtype."""
        del mode
        logits = tf.convert_to_tensor(logits)
        ids = label_ids(dense_labels(labels, logits, 1), self._vocabulary, self._n_classes, verb="must")
        if self._loss_fn:
            loss = own_loss(self._loss_fn, ids, logits, features)
        else:
            loss = v1.losses.sparse_softmax_cross_entropy(labels=ids, logits=logits, reduction=v1.losses.Reduction.NONE)
            loss = tf.expand_dims(loss, axis=-1)
        return self._reduced(loss, weights_of(features, self._weight_column, logits), ids)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        logits = float_logits(logits, self._n_classes)
        with v1.name_scope(None, "predictions", (logits,)):
            every = {
                P.ALL_CLASS_IDS: classes.all_class_ids(logits, self._n_classes),
                P.ALL_CLASSES: classes.all_classes(logits, self._n_classes, self._vocabulary),
            }
            ids = classes.class_ids(logits)
            chosen = classes.chosen_classes(ids, self._vocabulary)
            probabilities = v1.nn.softmax(logits, name=P.PROBABILITIES)
        return {P.LOGITS: logits, P.PROBABILITIES: probabilities, P.CLASS_IDS: ids, P.CLASSES: chosen, **every}

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return classes.classifier_outputs(predictions, self._n_classes, self._vocabulary)

    def _metrics(self, loss: Loss, predictions: dict[str, Any], labels: Any) -> dict[str, Any]:
        labels, weights, ids = loss.processed_labels, loss.weights, predictions[P.CLASS_IDS]
        with v1.name_scope(None, "metrics", (labels, ids, weights, loss.unreduced_loss)):
            return {
                self._key(M.LOSS_MEAN): v1.metrics.mean(loss.unreduced_loss, weights=weights, name=M.LOSS_MEAN),
                self._key(M.ACCURACY): v1.metrics.accuracy(labels, ids, weights=weights, name=M.ACCURACY),
            }


def label_ids(labels: Any, vocabulary: Any, n_classes: Any, verb: str = "must be") -> Any:
    """Class numbers of labels. Raises ValueError for a dtype that cannot be."""
    if vocabulary is None:
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        return in_range(labels, n_classes, verb=verb)
    if labels.dtype != tf.string:
        raise ValueError(f"Labels dtype should be string if there is a vocabulary. Instead got {labels.dtype}")
    return in_range(classes.string_to_index(vocabulary).lookup(labels), n_classes, verb=verb)


def binary_or_multi_class(n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str) -> FirstHead:
    """Returns the head of a classifier."""
    if n_classes == 2:
        return BinaryHead(weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
