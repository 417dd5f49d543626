"""The heads of `tf.estimator` for two classes and for several."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads import classes
from tf2bridge.estimator.heads.checks import (
    checked_n_classes,
    checked_thresholds,
    checked_vocabulary,
    dense_labels,
    float_logits,
    in_range,
    own_loss,
)
from tf2bridge.estimator.heads.first_classifiers import label_ids
from tf2bridge.estimator.heads.head import (
    AVERAGE,
    WeightedHead,
    checked_keys,
    keras,
    update_mean,
    update_regularization,
)
from tf2bridge.estimator.heads.keys import MetricKeys as M
from tf2bridge.estimator.heads.keys import PredictionKeys as P

v1 = tf.compat.v1


class BinaryClassHead(WeightedHead):
    """Two classes: one logit, a sigmoid cross entropy."""

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = AVERAGE,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        self._label_vocabulary = checked_vocabulary(label_vocabulary)
        self._thresholds = checked_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, loss_fn, name)

    @property
    def logits_dimension(self) -> int:
        """1."""
        return 1

    def _processed(self, logits: Any, labels: Any) -> Any:
        labels = dense_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = classes.string_to_index(self._label_vocabulary).lookup(labels)
        return in_range(tf.cast(labels, tf.float32), 2)

    def _losses(self, logits: Any, labels: Any, features: Any) -> Any:
        if self._loss_fn:
            return own_loss(self._loss_fn, labels, logits, features)
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """Logits, probabilities and classes. Raises ValueError for unknown keys."""
        wanted = checked_keys(
            keys, [P.LOGITS, P.LOGISTIC, P.PROBABILITIES, P.CLASS_IDS, P.CLASSES, P.ALL_CLASS_IDS, P.ALL_CLASSES]
        )
        logits = float_logits(logits, 1)
        with v1.name_scope("predictions", values=(logits,)):
            both = classes.two_class_logits(logits)
            tensors = {P.LOGITS: logits, P.LOGISTIC: tf.sigmoid(logits, name=P.LOGISTIC)}
            tensors.update(class_predictions(both, wanted, 2, self._label_vocabulary))
        return {key: tensors[key] for key in wanted}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """Loss, accuracy, precision, recall, means, areas under curves, and the first three at the thresholds."""
        kinds = keras().metrics
        with v1.name_scope("metrics"):
            metrics = {
                M.LOSS_MEAN: kinds.Mean(M.LOSS_MEAN),
                M.ACCURACY: kinds.Accuracy(M.ACCURACY),
                M.PRECISION: kinds.Precision(name=M.PRECISION),
                M.RECALL: kinds.Recall(name=M.RECALL),
                M.PREDICTION_MEAN: kinds.Mean(M.PREDICTION_MEAN),
                M.LABEL_MEAN: kinds.Mean(M.LABEL_MEAN),
                M.ACCURACY_BASELINE: kinds.Mean(M.ACCURACY_BASELINE),
                M.AUC: kinds.AUC(name=M.AUC),
                M.AUC_PR: kinds.AUC(curve="PR", name=M.AUC_PR),
            }
            if regularization_losses is not None:
                metrics[M.LOSS_REGULARIZATION] = kinds.Mean(M.LOSS_REGULARIZATION)
            metrics.update(threshold_metrics(self._thresholds))
        return {self._summary_key(key): metric for key, metric in metrics.items()}

    def update_metrics(
        self,
        eval_metrics: Any,
        features: Any,
        logits: Any,
        labels: Any,
        mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:
        """Updates these metrics with a batch and returns them."""
        del mode
        predictions = self.predictions(logits, [P.CLASS_IDS, P.LOGISTIC])
        ids, logistic = predictions[P.CLASS_IDS], predictions[P.LOGISTIC]
        logits = float_logits(logits, 1)
        labels = self._processed(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        by_key = {key: eval_metrics[self._summary_key(key)] for key in self._keys()}
        by_key[M.LOSS_MEAN].update_state(losses, sample_weight=weights)
        for key in (M.ACCURACY, M.PRECISION, M.RECALL):
            by_key[key].update_state(labels, ids, sample_weight=weights)
        update_mean(by_key[M.PREDICTION_MEAN], logistic, weights)
        update_mean(by_key[M.LABEL_MEAN], labels, weights)
        _set_baseline(by_key[M.ACCURACY_BASELINE], by_key[M.LABEL_MEAN])
        for key in (M.AUC, M.AUC_PR):
            by_key[key].update_state(labels, logistic, sample_weight=tf.broadcast_to(weights, tf.shape(logistic)))
        update_regularization(eval_metrics, self._summary_key(M.LOSS_REGULARIZATION), regularization_losses)
        for key in threshold_keys(self._thresholds):
            eval_metrics[self._summary_key(key)].update_state(labels, logistic, sample_weight=weights)
        return eval_metrics

    def _keys(self) -> tuple[str, ...]:
        means = (M.LOSS_MEAN, M.PREDICTION_MEAN, M.LABEL_MEAN, M.ACCURACY_BASELINE)
        return (*means, M.ACCURACY, M.PRECISION, M.RECALL, M.AUC, M.AUC_PR)

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return classes.classifier_outputs(predictions, 2, self._label_vocabulary, predictions[P.LOGISTIC])


class MultiClassHead(WeightedHead):
    """More than two classes: a softmax cross entropy. Raises ValueError for fewer, or another number of labels."""

    def __init__(
        self,
        n_classes: Any,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = AVERAGE,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        self._n_classes = checked_n_classes(n_classes)
        self._label_vocabulary = checked_vocabulary(label_vocabulary, n_classes)
        super().__init__(weight_column, loss_reduction, loss_fn, name)

    @property
    def logits_dimension(self) -> Any:
        """The number of classes."""
        return self._n_classes

    def _processed(self, logits: Any, labels: Any) -> Any:
        return label_ids(dense_labels(labels, logits, 1), self._label_vocabulary, self._n_classes)

    def _losses(self, logits: Any, labels: Any, features: Any) -> Any:
        if self._loss_fn:
            return own_loss(self._loss_fn, labels, logits, features)
        losses = v1.losses.sparse_softmax_cross_entropy(
            labels=labels, logits=logits, reduction=v1.losses.Reduction.NONE
        )
        return tf.expand_dims(losses, axis=-1)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """Logits, probabilities and classes. Raises ValueError for unknown keys."""
        wanted = checked_keys(keys, [P.LOGITS, P.PROBABILITIES, P.CLASS_IDS, P.CLASSES, P.ALL_CLASS_IDS, P.ALL_CLASSES])
        logits = float_logits(logits, self._n_classes)
        with v1.name_scope("predictions", values=(logits,)):
            tensors = {P.LOGITS: logits}
            tensors.update(class_predictions(logits, wanted, self._n_classes, self._label_vocabulary))
        return {key: tensors[key] for key in wanted}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """Loss and accuracy."""
        kinds = keras().metrics
        with v1.name_scope("metrics"):
            metrics = {M.LOSS_MEAN: kinds.Mean(M.LOSS_MEAN)}
            if regularization_losses is not None:
                metrics[M.LOSS_REGULARIZATION] = kinds.Mean(M.LOSS_REGULARIZATION)
            metrics[M.ACCURACY] = kinds.Accuracy(M.ACCURACY)
        return {self._summary_key(key): metric for key, metric in metrics.items()}

    def update_metrics(
        self,
        eval_metrics: Any,
        features: Any,
        logits: Any,
        labels: Any,
        mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:
        """Updates these metrics with a batch and returns them."""
        del mode
        ids = self.predictions(logits, [P.CLASS_IDS])[P.CLASS_IDS]
        logits = float_logits(logits, self._n_classes)
        labels = self._processed(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        eval_metrics[self._summary_key(M.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        eval_metrics[self._summary_key(M.ACCURACY)].update_state(labels, ids, sample_weight=weights)
        update_regularization(eval_metrics, self._summary_key(M.LOSS_REGULARIZATION), regularization_losses)
        return eval_metrics

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return classes.classifier_outputs(predictions, self._n_classes, self._label_vocabulary)


def class_predictions(logits: Any, wanted: list[str], n_classes: Any, vocabulary: Any) -> dict[str, Any]:
    """Returns probabilities and classes. Tables are made only if labels are wanted."""
    tensors = {P.PROBABILITIES: v1.nn.softmax(logits, name=P.PROBABILITIES)}
    if P.CLASS_IDS in wanted or P.CLASSES in wanted:
        tensors[P.CLASS_IDS] = classes.class_ids(logits)
    if P.CLASSES in wanted:
        tensors[P.CLASSES] = classes.chosen_classes(tensors[P.CLASS_IDS], vocabulary)
    if P.ALL_CLASS_IDS in wanted:
        tensors[P.ALL_CLASS_IDS] = classes.all_class_ids(logits, n_classes)
    if P.ALL_CLASSES in wanted:
        tensors[P.ALL_CLASSES] = classes.all_classes(logits, n_classes, vocabulary)
    return tensors


def threshold_keys(thresholds: Any) -> list[str]:
    """Returns the names of accuracy, precision and recall at each threshold."""
    patterns = (M.ACCURACY_AT_THRESHOLD, M.PRECISION_AT_THRESHOLD, M.RECALL_AT_THRESHOLD)
    return [pattern % threshold for threshold in thresholds for pattern in patterns]


def threshold_metrics(thresholds: Any) -> dict[str, Any]:
    """Returns new metrics with the names of `threshold_keys`."""
    kinds, metrics = keras().metrics, {}
    for threshold in thresholds:
        accuracy, precision, recall = threshold_keys([threshold])
        metrics[accuracy] = kinds.BinaryAccuracy(accuracy, threshold=threshold)
        metrics[precision] = kinds.Precision(name=precision, thresholds=threshold)
        metrics[recall] = kinds.Recall(name=recall, thresholds=threshold)
    return metrics


def _set_baseline(baseline: Any, label_mean: Any) -> None:
    """The accuracy of always choosing the more frequent class follows from the mean of the labels."""
    baseline._updates = [tf.no_op()]
    baseline.total = tf.maximum(label_mean.total, label_mean.count - label_mean.total)
    baseline.count = label_mean.count
