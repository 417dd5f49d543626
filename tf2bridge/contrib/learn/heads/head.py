"""The base classes of heads: `tf.contrib.learn.Head`, and the head with one loss."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.layers.layers.fully_connected import linear
from tf2bridge.contrib.learn.estimators.model_fn import MODES, ModelFnOps, PredictionKey
from tf2bridge.contrib.learn.heads import metrics
from tf2bridge.contrib.learn.heads.bias import CenteredBias
from tf2bridge.contrib.learn.heads.metric_key import MetricKey, of_head
from tf2bridge.contrib.learn.preprocessing.text import ModeKeys

v1 = tf.compat.v1


class Head(abc.ABC):
    """Turns logits into predictions, a loss, metrics and a training op."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """The number of logits of an example."""

    @abc.abstractmethod
    def create_model_fn_ops(
        self,
        features: Any,
        mode: str,
        labels: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
        logits: Any = None,
        logits_input: Any = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """Returns the ModelFnOps of `logits`, or of a linear layer above `logits_input`. Give one of them.

        `train_op_fn(loss)` returns the training op.

        Raises:
            ValueError: the mode is unknown, not exactly one of `logits` and `logits_input` is given, or `train_op_fn`
                is missing in training.
        """


class SingleHead(Head):
    """A head with one loss. `_problem_type` is a ProblemType, `_default_scope` names the head's variables."""

    _problem_type: int
    _default_scope: str

    def __init__(
        self,
        logits_dimension: int | None,
        loss_fn: Callable[..., Any],
        label_name: str | None = None,
        weight_column_name: str | None = None,
        enable_centered_bias: bool = False,
        head_name: str | None = None,
    ) -> None:
        if logits_dimension is None or logits_dimension < 1:
            raise ValueError(f"Invalid logits_dimension {logits_dimension}.")
        self._logits_dimension, self._loss_fn = logits_dimension, loss_fn
        self._label_name, self._weight_column_name = label_name, weight_column_name
        self._enable_centered_bias, self._head_name = enable_centered_bias, head_name

    @property
    def logits_dimension(self) -> int:
        """The number of logits of an example."""
        return self._logits_dimension

    @property
    def label_name(self) -> str | None:
        """The key of the labels if they are a dictionary."""
        return self._label_name

    @property
    def weight_column_name(self) -> str | None:
        """The feature that holds the weights of examples."""
        return self._weight_column_name

    @property
    def head_name(self) -> str | None:
        """The suffix of metrics and summaries of this head."""
        return self._head_name

    def create_model_fn_ops(
        self,
        features: Any,
        mode: str,
        labels: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
        logits: Any = None,
        logits_input: Any = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """See Head."""
        values = (*features.values(), labels, logits, logits_input)
        with v1.variable_scope(scope, default_name=self.head_name or self._default_scope, values=values):
            labels = None if mode == ModeKeys.INFER or labels is None else self._transform_labels(labels)
            logits = logits_of(logits_input, logits, self._logits_dimension)
            return self._ops(features, mode, labels, train_op_fn, logits)

    def _ops(self, features: Any, mode: str, labels: Any, train_op_fn: Any, logits: Any) -> ModelFnOps:
        check_mode(mode)
        bias = CenteredBias(self._logits_dimension, self._head_name) if self._enable_centered_bias else None
        logits = logits if bias is None else v1.nn.bias_add(logits, bias.variable)
        predictions = self._predictions(logits)
        loss, train_op, eval_metric_ops = None, None, None
        if labels is not None:
            weights = weights_of(features, self._weight_column_name)
            loss, average_loss = self._loss(labels, logits, weights)
            summarize(average_loss, self._head_name)
            if mode == ModeKeys.TRAIN:
                train_op = self._train_op(loss, labels, train_op_fn, bias, logits, weights)
            eval_metric_ops = self._metrics(average_loss, predictions, labels, weights)
        alternatives = self._alternatives(predictions)
        return ModelFnOps(mode, predictions, loss, train_op, eval_metric_ops, alternatives)

    def _train_op(self, loss: Any, labels: Any, train_op_fn: Any, bias: Any, logits: Any, weights: Any) -> Any:
        check_train_op_fn(train_op_fn)
        batch_size = tf.shape(logits)[0]
        step = None if bias is None else bias.step(batch_size, labels, self._loss, weights)
        with v1.name_scope(None, "train_op", (loss, labels)):
            train_op = train_op_fn(loss)
            return train_op if step is None else tf.group(train_op, step)

    def _loss(self, labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        return self._loss_fn(labels, logits, weights=weights)  # type: ignore[no-any-return]  # a pair of tensors

    def _transform_labels(self, labels: Any) -> Any:
        labels = labels[self._label_name] if isinstance(labels, dict) else labels
        labels = v1.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, tf.SparseTensor):
            raise ValueError("SparseTensor is not supported.")
        return labels

    @abc.abstractmethod
    def _predictions(self, logits: Any) -> dict[str, Any]: ...

    def _metrics(self, loss: Any, predictions: Any, labels: Any, weights: Any) -> dict[str, Any]:
        values = [value for value in (loss, labels, weights) if value is not None]
        with v1.name_scope("metrics", values=values):
            rows = {MetricKey.LOSS: v1.metrics.mean(loss)}
            rows.update(self._own_metrics(predictions, labels, weights))
            return {of_head(self._head_name, key): metric for key, metric in rows.items()}

    def _own_metrics(self, predictions: Any, labels: Any, weights: Any) -> dict[str, metrics.Metric]:
        del predictions, labels, weights
        return {}

    def _alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, predictions)}


def check_mode(mode: str) -> None:
    """Raises ValueError if `mode` is unknown."""
    if mode not in MODES:
        raise ValueError(f"mode={mode} unrecognized.")


def check_train_op_fn(train_op_fn: Any) -> None:
    """Raises ValueError if the argument is missing."""
    if train_op_fn is None:
        raise ValueError("train_op_fn can not be None in TRAIN mode")


def logits_of(logits_input: Any, logits: Any, size: int) -> Any:
    """Returns the given logits, [batch, size], or the logits of a linear layer."""
    if logits is None:
        if logits_input is None:
            raise ValueError("Neither logits nor logits_input supplied.")
        return linear(logits_input, size, scope="logits")
    if logits_input is not None:
        raise ValueError("Both logits and logits_input supplied.")
    logits = tf.convert_to_tensor(logits, name="logits")
    if logits.shape.rank is not None:
        v1.Dimension(logits.shape[-1]).assert_is_compatible_with(size)
    return logits


def weights_of(features: Any, name: str | None) -> Any:
    """Returns the weights of examples as a column of float32, or None. Raises ValueError if the feature is missing."""
    if not name:
        return None
    if name not in features:
        raise ValueError(f"Weights {name} missing from features.")
    with v1.name_scope(None, "weight_tensor", tuple(features.values())):
        weights = tf.cast(features[name], tf.float32)
        if weights.shape.rank != 1:
            return weights
        logging.warning("Weights %s has shape %s, expanding to make it 2d.", name, weights.shape)
        reshape = tf.sparse.reshape if isinstance(weights, tf.SparseTensor) else tf.reshape
        return reshape(weights, (-1, 1))


def summarize(loss: Any, head_name: str | None) -> None:
    """Adds the summary of the loss, outside of all scopes."""
    with v1.name_scope(""):
        v1.summary.scalar(of_head(head_name, MetricKey.LOSS), tf.identity(loss))


def exported_classes(predictions: dict[str, Any], names: Any = None) -> dict[str, Any]:
    """Returns the export outputs of a classifier: probabilities, and the names of all classes for each example."""
    probabilities = predictions.get(PredictionKey.PROBABILITIES)
    if probabilities is None:
        raise ValueError(f"{PredictionKey.PROBABILITIES} missing in predictions")
    with v1.name_scope(None, "_classification_output_alternatives", (probabilities,)):
        batch_size = tf.shape(probabilities)[0]
        if names:
            classes = tf.tile(tf.expand_dims(names, axis=0), [batch_size, 1], name="classes_tensor")
        else:
            numbers = tf.expand_dims(tf.range(tf.shape(probabilities)[1]), axis=0)
            classes = tf.strings.as_string(tf.tile(numbers, [batch_size, 1]), name="classes_tensor")
    return {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: classes}
