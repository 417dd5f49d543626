"""The head of contrib for examples with several labels."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads import classes
from tf2bridge.estimator.heads.checks import checked_loss_fn, dense_labels, float_logits, own_loss, weights_of
from tf2bridge.estimator.heads.first import FirstHead, Loss
from tf2bridge.estimator.heads.first_metrics import at_threshold, auc, mean
from tf2bridge.estimator.heads.keys import MetricKeys as M
from tf2bridge.estimator.heads.keys import PredictionKeys as P
from tf2bridge.estimator.heads.multi_label import MultiLabelHead as Later

v1 = tf.compat.v1


class MultiLabelHead(FirstHead):
    """A sigmoid for each class. Labels are indicators, [batch, n_classes], or a SparseTensor of classes."""

    def __init__(
        self,
        n_classes: int,
        weight_column: Any,
        thresholds: Any,
        label_vocabulary: Any,
        loss_reduction: str,
        loss_fn: Any,
        classes_for_class_based_metrics: Any,
        name: str | None,
    ) -> None:
        if n_classes is None or n_classes < 2:
            raise ValueError(f"n_classes must be > 1 for multi-class classification. Given: {n_classes}")
        # The later head of `tf.estimator` checks, reads and names the same.
        self._later = Later(
            n_classes,
            weight_column,
            thresholds,
            label_vocabulary,
            classes_for_class_based_metrics=classes_for_class_based_metrics,
        )
        super().__init__(weight_column, loss_reduction, name)
        self._loss_fn = checked_loss_fn(loss_fn)
        self._n_classes, self._vocabulary = n_classes, label_vocabulary

    @property
    def logits_dimension(self) -> int:
        """The number of classes."""
        return self._n_classes

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Loss:
        """Returns the mean of each example's cross entropies over classes. Raises ValueError if labels do not fit."""
        del mode
        logits = tf.convert_to_tensor(logits)
        labels = dense_labels(self._later._processed(logits, labels), logits, self._n_classes)
        if self._loss_fn:
            loss = own_loss(self._loss_fn, labels, logits, features)
        else:
            class_losses = v1.losses.sigmoid_cross_entropy(labels, logits, reduction=v1.losses.Reduction.NONE)
            loss = tf.reduce_mean(class_losses, axis=-1, keepdims=True)
        return self._reduced(loss, weights_of(features, self._weight_column, logits), labels)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        logits = float_logits(logits, self._n_classes)
        with v1.name_scope(None, "predictions", (logits,)):
            return {P.LOGITS: logits, P.PROBABILITIES: tf.sigmoid(logits, name=P.PROBABILITIES)}

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return classes.classifier_outputs(predictions, self._n_classes, self._vocabulary)

    def _metrics(self, loss: Loss, predictions: dict[str, Any], labels: Any) -> dict[str, Any]:
        labels, weights, probabilities = loss.processed_labels, loss.weights, predictions[P.PROBABILITIES]
        with v1.name_scope(None, "metrics", [labels, probabilities, weights, loss.unreduced_loss]):
            metrics = {M.LOSS_MEAN: v1.metrics.mean(loss.unreduced_loss, weights=weights, name=M.LOSS_MEAN)}
            for name, curve in ((M.AUC, "ROC"), (M.AUC_PR, "PR")):
                metrics[name] = v1.metrics.auc(labels, probabilities, weights=weights, curve=curve, name=name)
            for threshold in self._later._thresholds:
                metrics.update(at_threshold(labels, probabilities, weights, threshold))
            for place in self._later._shown:
                class_probabilities, label = probabilities[..., place : place + 1], labels[..., place : place + 1]
                average, roc, pr = self._later._class_keys(place)
                metrics[average] = mean(class_probabilities, weights, average, "predictions_mean")
                metrics[roc] = auc(label, class_probabilities, weights, "ROC", roc)
                metrics[pr] = auc(label, class_probabilities, weights, "PR", pr)
            return {self._key(key): pair for key, pair in metrics.items()}
