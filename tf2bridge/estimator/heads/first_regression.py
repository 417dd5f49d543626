"""The first head for regression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads.checks import checked_loss_fn, dense_labels, float_logits, own_loss, weights_of
from tf2bridge.estimator.heads.classes import regression_outputs
from tf2bridge.estimator.heads.first import SUM, FirstHead, Loss
from tf2bridge.estimator.heads.first_metrics import mean
from tf2bridge.estimator.heads.keys import MetricKeys, PredictionKeys

v1 = tf.compat.v1


class RegressionHead(FirstHead):
    """A squared error, or the loss of `loss_fn`; predictions are logits, or `inverse_link_fn` of them."""

    def __init__(
        self,
        weight_column: Any = None,
        label_dimension: int = 1,
        loss_reduction: str = SUM,
        loss_fn: Any = None,
        inverse_link_fn: Callable[[Any], Any] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(weight_column, loss_reduction, name)
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self._size = label_dimension
        self._loss_fn = checked_loss_fn(loss_fn)
        self._inverse_link_fn = inverse_link_fn

    @property
    def logits_dimension(self) -> int:
        """The number of labels of an example."""
        return self._size

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Loss:
        """Labels are numbers of any dtype."""
        del mode
        logits = tf.convert_to_tensor(logits)
        labels = tf.cast(dense_labels(labels, logits, self._size), tf.float32)
        if self._loss_fn:
            loss = own_loss(self._loss_fn, labels, logits, features, self._size)
        else:
            loss = v1.losses.mean_squared_error(labels, logits, reduction=v1.losses.Reduction.NONE)
        return self._reduced(loss, weights_of(features, self._weight_column, logits, per_logit=True), labels)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        logits = float_logits(logits, self._size)
        if self._inverse_link_fn is None:
            return {PredictionKeys.PREDICTIONS: logits}
        return {PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits), PredictionKeys.LOGITS: logits}

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return regression_outputs(predictions)

    def _metrics(self, loss: Loss, predictions: dict[str, Any], labels: Any) -> dict[str, Any]:
        weights, predicted = loss.weights, predictions[PredictionKeys.PREDICTIONS]
        name = MetricKeys.PREDICTION_MEAN
        return {
            self._key(MetricKeys.LOSS_MEAN): v1.metrics.mean(loss.unreduced_loss, weights=weights),
            self._key(name): mean(predicted, weights, name, "predictions_mean"),
            self._key(MetricKeys.LABEL_MEAN): v1.metrics.mean(labels, weights=weights),
        }
