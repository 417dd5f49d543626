"""The head of `tf.estimator` for examples with several labels."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads import classes
from tf2bridge.estimator.heads.checks import (
    NO_LABELS,
    dense_labels,
    float_logits,
    in_range,
    outside_unit,
    own_loss,
)
from tf2bridge.estimator.heads.classifiers import threshold_keys, threshold_metrics
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


class MultiLabelHead(WeightedHead):
    """A sigmoid for each class. Labels are indicators, [batch, n_classes], or a SparseTensor of classes."""

    def __init__(
        self,
        n_classes: int,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = AVERAGE,
        loss_fn: Any = None,
        classes_for_class_based_metrics: Any = None,
        name: str | None = None,
    ) -> None:
        if n_classes is None or n_classes < 2:
            raise ValueError(f"n_classes must be > 1 for multi-label classification. Given: {n_classes}")
        self._thresholds = tuple(thresholds or ())
        for threshold in outside_unit(self._thresholds):
            raise ValueError(f"thresholds must be in (0, 1) range. Given: {threshold}")
        if label_vocabulary is not None:
            if not isinstance(label_vocabulary, (list, tuple)):
                raise ValueError(f"label_vocabulary must be a list or tuple. Given type: {type(label_vocabulary)}")
            if len(label_vocabulary) != n_classes:
                raise ValueError(
                    f"Length of label_vocabulary must be n_classes ({n_classes}). Given: {len(label_vocabulary)}"
                )
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._label_vocabulary = n_classes, label_vocabulary
        self._shown = _checked_classes(classes_for_class_based_metrics, n_classes, label_vocabulary)

    @property
    def logits_dimension(self) -> int:
        """The number of classes."""
        return self._n_classes

    def _processed(self, logits: Any, labels: Any) -> Any:
        if labels is None:
            raise ValueError(NO_LABELS)
        if isinstance(labels, tf.SparseTensor):
            labels = self._indicators(labels)
        else:
            message = "labels must be an integer indicator Tensor with values in [0, 1]"
            labels = in_range(labels, 2, message=message)
        return dense_labels(labels, logits, self._n_classes)

    def _indicators(self, labels: Any) -> Any:
        if labels.dtype == tf.string:
            ids = classes.string_to_index(self._label_vocabulary).lookup(labels.values)
        else:
            if not labels.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
            message = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
            ids = in_range(labels.values, self._n_classes, message=message)
        numbers = tf.SparseTensor(labels.indices, ids, labels.dense_shape)
        return tf.cast(tf.sparse.to_indicator(numbers, self._n_classes), tf.int64)

    def _losses(self, logits: Any, labels: Any, features: Any) -> Any:
        if self._loss_fn:
            return own_loss(self._loss_fn, labels, logits, features)
        losses = v1.losses.sigmoid_cross_entropy(labels, logits, reduction=v1.losses.Reduction.NONE)
        return tf.reduce_mean(losses, axis=-1, keepdims=True)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """Logits and probabilities. Raises ValueError for unknown keys."""
        wanted = checked_keys(keys, [P.LOGITS, P.PROBABILITIES])
        logits = float_logits(logits, self._n_classes)
        with v1.name_scope("predictions", values=(logits,)):
            tensors = {P.LOGITS: logits, P.PROBABILITIES: tf.sigmoid(logits, name=P.PROBABILITIES)}
        return {key: tensors[key] for key in wanted}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """Loss, areas under curves, accuracy and others at the thresholds, and some for single classes."""
        kinds = keras().metrics
        with v1.name_scope(None, "metrics"):
            metrics = {
                M.LOSS_MEAN: kinds.Mean(M.LOSS_MEAN),
                M.AUC: kinds.AUC(name=M.AUC),
                M.AUC_PR: kinds.AUC(curve="PR", name=M.AUC_PR),
            }
            if regularization_losses is not None:
                metrics[M.LOSS_REGULARIZATION] = kinds.Mean(M.LOSS_REGULARIZATION)
            metrics.update(threshold_metrics(self._thresholds))
            for place in self._shown:
                mean, auc, area = self._class_keys(place)
                metrics[mean] = kinds.Mean(mean)
                metrics[auc] = kinds.AUC(name=auc)
                metrics[area] = kinds.AUC(curve="PR", name=area)
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
        logits = float_logits(logits, self._n_classes)
        labels = self._processed(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        probabilities = self.predictions(logits, [P.PROBABILITIES])[P.PROBABILITIES]
        eval_metrics[self._summary_key(M.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        for key in (M.AUC, M.AUC_PR, *threshold_keys(self._thresholds)):
            eval_metrics[self._summary_key(key)].update_state(labels, probabilities, sample_weight=weights)
        update_regularization(eval_metrics, self._summary_key(M.LOSS_REGULARIZATION), regularization_losses)
        for place in self._shown:
            mean, *areas = (eval_metrics[self._summary_key(key)] for key in self._class_keys(place))
            probability, label = probabilities[..., place : place + 1], labels[..., place : place + 1]
            update_mean(mean, probability, weights)
            for area in areas:
                area.update_state(label, probability, sample_weight=weights)
        return eval_metrics

    def _class_keys(self, place: int) -> list[str]:
        if self._label_vocabulary is None:
            patterns = (M.PROBABILITY_MEAN_AT_CLASS, M.AUC_AT_CLASS, M.AUC_PR_AT_CLASS)
            return [pattern % place for pattern in patterns]
        patterns = (M.PROBABILITY_MEAN_AT_NAME, M.AUC_AT_NAME, M.AUC_PR_AT_NAME)
        return [pattern % self._label_vocabulary[place] for pattern in patterns]

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return classes.classifier_outputs(predictions, self._n_classes, self._label_vocabulary)


def _checked_classes(given: Any, n_classes: int, vocabulary: Any) -> tuple[int, ...]:
    """Class numbers. Raises ValueError for names without a vocabulary, or numbers that are no classes."""
    numbers = tuple(given or ())
    if numbers and isinstance(numbers[0], str):
        if not vocabulary:
            raise ValueError("label_vocabulary must be provided when classes_for_class_based_metrics are sting.")
        return tuple(vocabulary.index(name) for name in numbers)
    for place in numbers:
        if not 0 <= place < n_classes:
            raise ValueError(
                f"All classes_for_class_based_metrics must be in range [0, {n_classes - 1}]. Given: {place}"
            )
    return numbers
