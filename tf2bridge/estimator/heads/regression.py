"""The heads of `tf.estimator` for numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads.checks import dense_labels, float_logits, in_range, own_loss
from tf2bridge.estimator.heads.classes import regression_outputs
from tf2bridge.estimator.heads.head import AVERAGE, WeightedHead, keras, update_mean, update_regularization
from tf2bridge.estimator.heads.keys import MetricKeys as M
from tf2bridge.estimator.heads.keys import PredictionKeys as P

v1 = tf.compat.v1


class RegressionHead(WeightedHead):
    """A squared error, or the loss of `loss_fn`; predictions are logits, or `inverse_link_fn` of them."""

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = AVERAGE,
        loss_fn: Any = None,
        inverse_link_fn: Callable[[Any], Any] | None = None,
        name: str | None = None,
    ) -> None:
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._size, self._inverse_link_fn = label_dimension, inverse_link_fn

    _per_logit = True

    @property
    def logits_dimension(self) -> int:
        """The number of labels of an example."""
        return self._size

    def _processed(self, logits: Any, labels: Any) -> Any:
        return tf.cast(dense_labels(labels, logits, self._size), tf.float32)

    def _losses(self, logits: Any, labels: Any, features: Any) -> Any:
        if self._loss_fn:
            return own_loss(self._loss_fn, labels, logits, features, self._size)
        return v1.losses.mean_squared_error(labels, logits, reduction=v1.losses.Reduction.NONE)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """Returns the predicted numbers, and the logits if a link function makes them from these."""
        del keys
        logits = float_logits(logits, self._size)
        with v1.name_scope("predictions", values=(logits,)):
            if self._inverse_link_fn is None:
                return {P.PREDICTIONS: logits}
            return {P.PREDICTIONS: self._inverse_link_fn(logits), P.LOGITS: logits}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """Returns the means of loss, predictions and labels."""
        names = [M.LOSS_MEAN, M.PREDICTION_MEAN, M.LABEL_MEAN]
        names += [] if regularization_losses is None else [M.LOSS_REGULARIZATION]
        with v1.name_scope("metrics"):
            return {self._summary_key(name): keras().metrics.Mean(name) for name in names}

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
        predicted = self.predictions(logits)[P.PREDICTIONS]
        logits = float_logits(logits, self._size)
        labels = self._processed(logits, labels)
        losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
        eval_metrics[self._summary_key(M.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        eval_metrics[self._summary_key(M.LABEL_MEAN)].update_state(labels, sample_weight=weights)
        update_mean(eval_metrics[self._summary_key(M.PREDICTION_MEAN)], predicted, weights)
        update_regularization(eval_metrics, self._summary_key(M.LOSS_REGULARIZATION), regularization_losses)
        return eval_metrics

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return regression_outputs(predictions)


class PoissonRegressionHead(RegressionHead):
    """Counts: logits are the logarithms of their means."""

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = AVERAGE,
        compute_full_loss: bool = True,
        name: str | None = None,
    ) -> None:
        def loss_fn(labels: Any, logits: Any) -> Any:
            return v1.nn.log_poisson_loss(labels, logits, compute_full_loss)

        super().__init__(label_dimension, weight_column, loss_reduction, loss_fn, tf.exp, name)


class LogisticRegressionHead(RegressionHead):
    """Probabilities: labels are numbers within [0, 1]."""

    def __init__(self, weight_column: Any = None, loss_reduction: str = AVERAGE, name: str | None = None) -> None:
        super().__init__(1, weight_column, loss_reduction, logistic_loss, tf.sigmoid, name)


def logistic_loss(labels: Any, logits: Any) -> Any:
    """Returns the cross entropy of a sigmoid, with a check that labels lie within [0, 1]."""
    labels = in_range(labels, 2, message="Labels must be in range [0, 1]")
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
