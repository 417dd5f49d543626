"""The heads of `tf.estimator`: Keras metrics, losses averaged over a batch."""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import supplier
from tf2bridge.estimator.heads.checks import checked_loss_fn, checked_reduction, float_logits, weights_of
from tf2bridge.estimator.heads.keys import MetricKeys
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.internals.ops import broadcast_weights

v1 = tf.compat.v1

AVERAGE = "sum_over_batch_size"
REDUCTIONS = ("auto", "none", "sum", AVERAGE)


def keras() -> Any:
    """Returns the Keras of TF 1.x programs. Raises MissingExtraError."""
    return supplier("tf_keras")


class Head(abc.ABC):
    """The interface of a head. A program's own heads derive from it."""

    @property
    @abc.abstractmethod
    def name(self) -> str | None:
        """The suffix of the names of its metrics."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """The size of the last axis of its logits."""

    @property
    @abc.abstractmethod
    def loss_reduction(self) -> str:
        """How the losses of the examples give the loss of a batch: "sum" or "sum_over_batch_size"."""

    @abc.abstractmethod
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None, regularization_losses: Any = None
    ) -> Any:
        """Returns the loss of a batch, a scalar."""

    @abc.abstractmethod
    def predictions(self, logits: Any, keys: Any = None) -> Any:
        """Returns name -> prediction, for all names or for `keys`."""

    @abc.abstractmethod
    def metrics(self, regularization_losses: Any = None) -> Any:
        """Returns name -> a new Keras metric."""

    @abc.abstractmethod
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

    def _summary_key(self, key: str) -> str:
        return f"{key}/{self.name}" if self.name else key

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Any = None,
        train_op_fn: Any = None,
        update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec of a mode. Training needs `train_op_fn(loss)`, or an `optimizer` and variables.

        Raises:
            ValueError: Both or neither are given, or labels or weights do not fit.
        """
        with v1.name_scope(self.name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._outputs(predictions))
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self.metrics(regularization_losses)
                metrics = self.update_metrics(
                    metrics, features, logits, labels, regularization_losses=regularization_losses
                )
                return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
            step = train_op(loss, optimizer, trainable_variables, train_op_fn, update_ops)
        add_summaries(loss, regularization_losses, self._summary_key)
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=step)

    def _outputs(self, predictions: Any) -> Any:
        raise NotImplementedError("Subclasses of Head must implement `create_estimator_spec()`.")


class WeightedHead(Head):
    """A head with a weight column and a loss function. Raises ValueError for a wrong reduction or function."""

    def __init__(self, weight_column: Any, loss_reduction: str, loss_fn: Any, name: str | None) -> None:
        self._weight_column = weight_column
        self._loss_reduction = checked_reduction(loss_reduction, REDUCTIONS)
        self._loss_fn = checked_loss_fn(loss_fn, ("loss_reduction",))
        self._name = name

    @property
    def name(self) -> str | None:
        """The suffix of the names of its metrics."""
        return self._name

    @property
    def loss_reduction(self) -> str:
        """How the losses of the examples give the loss of a batch."""
        return self._loss_reduction

    @abc.abstractmethod
    def _processed(self, logits: Any, labels: Any) -> Any: ...

    @abc.abstractmethod
    def _losses(self, logits: Any, labels: Any, features: Any) -> Any: ...

    _per_logit = False

    def _unweighted_loss_and_weights(self, logits: Any, labels: Any, features: Any) -> tuple[Any, Any]:
        losses = self._losses(logits, labels, features)
        return losses, weights_of(features, self._weight_column, logits, self._per_logit)

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None, regularization_losses: Any = None
    ) -> Any:
        """Returns the loss of a batch, with the regularization losses added."""
        del mode
        with v1.name_scope("losses", values=(logits, labels)):
            logits = float_logits(logits, self.logits_dimension)
            labels = self._processed(logits, labels)
            losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
            total = reduced(losses, weights, self._loss_reduction)
            return total if regularization_losses is None else total + tf.add_n(regularization_losses)


def reduced(losses: Any, weights: Any, reduction: str) -> Any:
    """Returns the sum of the weighted losses, or the sum divided by the number of elements."""
    weighted = tf.multiply(losses, tf.cast(weights, losses.dtype))
    total = tf.reduce_sum(weighted)
    return total if reduction == "sum" else tf.math.divide_no_nan(total, tf.cast(tf.size(weighted), total.dtype))


def update_mean(metric: Any, values: Any, weights: Any) -> None:
    """Updates a mean; the weights may lack axes."""
    values = tf.cast(values, tf.float32)
    metric.update_state(values, sample_weight=broadcast_weights(weights, values))


def update_regularization(metrics: Any, key: str, losses: Any) -> None:
    """Updates the mean of the regularization losses, if there are any."""
    if losses is not None:
        metrics[key].update_state(tf.add_n(losses))


def train_op(loss: Any, optimizer: Any, variables: Any, train_op_fn: Any, update_ops: Any) -> Any:
    """Returns the op of a training step, with the update ops. Raises ValueError for wrong arguments."""
    if update_ops is not None and not isinstance(update_ops, (list, tuple)):
        raise ValueError(f"update_ops should be a list or a tuple. Given type: {type(update_ops)}.")
    with v1.name_scope(""), v1.name_scope("training"):
        step = (
            train_op_fn(loss) if optimizer is None and train_op_fn else _step(loss, optimizer, variables, train_op_fn)
        )
        return step if update_ops is None else tf.group(step, *update_ops)


def _step(loss: Any, optimizer: Any, variables: Any, train_op_fn: Any) -> Any:
    if optimizer is None:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    if train_op_fn is not None:
        raise ValueError("train_op_fn and optimizer cannot both be set.")
    if not isinstance(optimizer, keras().optimizers.legacy.Optimizer):
        raise ValueError(f"The given optimizer is not a tf.keras.optimizers.Optimizer instance. Given: {optimizer}")
    if variables is None:
        raise ValueError("trainable_variables cannot be None. Given None")
    if not isinstance(variables, (list, tuple)):
        raise ValueError(f"trainable_variables should be a list or a tuple. Given type: {type(variables)}.")
    return optimizer.get_updates(loss, variables)[0]


def add_summaries(loss: Any, regularization_losses: Any, key: Any = str) -> None:
    """Adds the summaries of a training step."""
    with v1.name_scope(""):
        v1.summary.scalar(key(MetricKeys.LOSS), loss)
        if regularization_losses is not None:
            v1.summary.scalar(key(MetricKeys.LOSS_REGULARIZATION), tf.add_n(regularization_losses))


def checked_keys(keys: Any, valid: list[str]) -> list[str]:
    """Returns `keys`, or all valid keys. Raises ValueError for an invalid key."""
    for key in keys or ():
        if key not in valid:
            raise ValueError(
                f"Prediction key must be in PredictionKeys, given: {key}.Valid prediction keys include {valid}."
            )
    return list(keys or valid)
