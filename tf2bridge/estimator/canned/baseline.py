"""Estimators that ignore their features and learn the mean of the labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.canned.optimizers import optimizer_of
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.heads.first import SUM
from tf2bridge.estimator.heads.first_classifiers import binary_or_multi_class
from tf2bridge.estimator.heads.first_regression import RegressionHead

v1 = tf.compat.v1

LEARNING_RATE = 0.3


class BaselineEstimator(Estimator):
    """A bias with a head of the caller's choice."""

    def __init__(self, head: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None) -> None:
        super().__init__(baseline_model_fn(head, optimizer), model_dir, config)


class BaselineClassifier(Estimator):
    """The frequencies of two classes or more."""

    def __init__(
        self,
        model_dir: Any = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        loss_reduction: str = SUM,
    ) -> None:
        head = binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(baseline_model_fn(head, optimizer, weight_column), model_dir, config)


class BaselineRegressor(Estimator):
    """The mean of numbers."""

    def __init__(
        self,
        model_dir: Any = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        loss_reduction: str = SUM,
    ) -> None:
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(baseline_model_fn(head, optimizer), model_dir, config)


def baseline_model_fn(head: Any, optimizer: Any, weight_column: Any = None) -> Callable[..., Any]:
    """Returns the model_fn of a baseline: one variable, "baseline/bias"."""

    def model_fn(features: Any, labels: Any, mode: str) -> Any:
        logits_tensor = logits(features, head.logits_dimension, key_of(weight_column))

        def train_op_fn(loss: Any) -> Any:
            return optimizer_of(optimizer, LEARNING_RATE).minimize(loss, global_step=v1.train.get_global_step())

        return head.create_estimator_spec(
            features=features, mode=mode, logits=logits_tensor, labels=labels, train_op_fn=train_op_fn
        )

    return model_fn


def key_of(weight_column: Any) -> Any:
    """Returns the name of the weights among the features. Raises TypeError for a column of another kind."""
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    if not hasattr(weight_column, "normalizer_fn"):
        raise TypeError(f"Weight column must be either a string or NumericColumn. Given type: {type(weight_column)}.")
    return weight_column.key


def logits(features: Any, size: int, weights: Any) -> Any:
    """Returns the logits [batch, size]: one bias each.

    `weights` is the name of the feature that only weighs examples.
    """
    batch, checks = None, []
    for key, feature in features.items():
        if key == weights:
            continue
        rows = tf.shape(feature)[0]
        if batch is None:
            batch = rows
        else:
            checks.append(v1.assert_equal(batch, rows))
    with tf.control_dependencies(checks), v1.variable_scope("baseline"):
        bias = v1.get_variable("bias", shape=[size], initializer=v1.zeros_initializer)
        return tf.multiply(bias, tf.ones([batch, size]))
