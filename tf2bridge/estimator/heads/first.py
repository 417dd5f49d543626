"""The first heads: `tf.metrics`, losses summed over a batch. The canned estimators of `tf.estimator` have them.

What they create has the names of 1.15.5: scope "head", summaries "loss" and "average_loss".
"""

from __future__ import annotations

import abc
import collections
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.heads.checks import checked_reduction
from tf2bridge.estimator.heads.keys import MetricKeys, PredictionKeys
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec

v1 = tf.compat.v1

Loss = collections.namedtuple("Loss", ["training_loss", "unreduced_loss", "weights", "processed_labels"])
"""The loss of a batch, the loss of each example, the weights, and the processed labels."""

SUM = v1.losses.Reduction.SUM


class AnyHead(abc.ABC):
    """The base class of heads that programs of 1.x define."""

    @property
    @abc.abstractmethod
    def name(self) -> str | None:
        """The suffix of the names of its metrics."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """The size of the last axis of its logits."""

    @abc.abstractmethod
    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Loss:
        """Returns the loss of a batch. Raises ValueError for labels or weights that do not fit."""

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec of a mode, from `_create_tpu_estimator_spec` if the head defines that alone.

        Raises NotImplementedError if the head defines neither.
        """
        given = (features, mode, logits, labels, optimizer, train_op_fn, regularization_losses)
        try:
            spec: EstimatorSpec = self._create_tpu_estimator_spec(*given).as_estimator_spec()
        except NotImplementedError:
            raise NotImplementedError(
                "Subclasses of _Head must implement `create_estimator_spec()` or _create_tpu_estimator_spec()."
            ) from None
        return spec

    def _create_tpu_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Any = None,
        regularization_losses: Any = None,
    ) -> Any:
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")


class FirstHead(AnyHead):
    """The steps that the heads share. Raises ValueError for a wrong loss_reduction."""

    def __init__(self, weight_column: Any, loss_reduction: str, name: str | None) -> None:
        self._weight_column = weight_column
        self._loss_reduction = checked_reduction(loss_reduction, v1.losses.Reduction.all())
        self._name = name

    @property
    def name(self) -> str | None:
        """The suffix of the names of its metrics."""
        return self._name

    @abc.abstractmethod
    def _predictions(self, logits: Any) -> dict[str, Any]: ...

    @abc.abstractmethod
    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]: ...

    @abc.abstractmethod
    def _metrics(self, loss: Loss, predictions: dict[str, Any], labels: Any) -> dict[str, Any]: ...

    def _key(self, metric: str) -> str:
        return f"{metric}/{self._name}" if self._name else metric

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec of a mode. Training needs either an `optimizer` or `train_op_fn(loss)`.

        Raises ValueError for both, or neither, and for labels or weights that do not fit.
        """
        with v1.name_scope(self._name, "head"):
            predictions = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._outputs(predictions))
            loss = self.create_loss(features, mode, _checked_logits(predictions), labels)
            extra = tf.add_n(regularization_losses) if regularization_losses else None
            total = loss.training_loss if extra is None else tf.add_n([loss.training_loss, extra])
            if mode == ModeKeys.TRAIN:
                train_op = head_train_op(total, optimizer, train_op_fn)
                mean = self._mean(loss)
        if mode == ModeKeys.EVAL:  # 1.15.5 made the metrics when the head's scope was left
            metrics = self._metrics(loss, predictions, labels)
            if extra is not None:
                name = MetricKeys.LOSS_REGULARIZATION
                metrics[self._key(name)] = v1.metrics.mean(extra, name=name)
            return EstimatorSpec(mode, predictions=predictions, loss=total, eval_metric_ops=metrics)
        with v1.name_scope(""):
            shown = {MetricKeys.LOSS: total, MetricKeys.LOSS_MEAN: mean, MetricKeys.LOSS_REGULARIZATION: extra}
            for key, value in shown.items():
                if value is not None:
                    v1.summary.scalar(self._key(key), value)
        return EstimatorSpec(mode, predictions=predictions, loss=total, train_op=train_op)

    def _mean(self, loss: Loss) -> Any:
        """Returns the mean loss of an example, for a loss that is a sum."""
        if self._loss_reduction != SUM:
            return None
        return loss.training_loss / tf.reduce_sum(loss.weights * tf.ones_like(loss.unreduced_loss))

    def _reduced(self, unreduced: Any, weights: Any, labels: Any) -> Loss:
        total = v1.losses.compute_weighted_loss(unreduced, weights=weights, reduction=self._loss_reduction)
        return Loss(total, unreduced, weights, labels)


def head_train_op(loss: Any, optimizer: Any, train_op_fn: Any, with_updates: bool = True) -> Any:
    """Returns the op of a training step, with the ops in UPDATE_OPS.

    Raises ValueError for both functions, or neither.
    """
    if optimizer is not None and train_op_fn is not None:
        raise ValueError("train_op_fn and optimizer cannot both be set.")
    if optimizer is not None:
        train_op = optimizer.minimize(loss, global_step=v1.train.get_global_step())
    elif train_op_fn is not None:
        train_op = train_op_fn(loss)
    else:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    updates = v1.get_collection(v1.GraphKeys.UPDATE_OPS) if with_updates else []
    return tf.group(train_op, *updates) if updates else train_op


def _checked_logits(predictions: dict[str, Any]) -> Any:
    """Returns the logits as float32, with the check of their shape; those of a regression may be its predictions."""
    return predictions.get(PredictionKeys.LOGITS, predictions.get(PredictionKeys.PREDICTIONS))
