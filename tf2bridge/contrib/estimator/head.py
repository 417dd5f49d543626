"""The heads of contrib by function; their losses are averaged over a batch, their metrics those of `tf.metrics`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.estimator.multi_head import MultiHead
from tf2bridge.contrib.estimator.multi_label_head import MultiLabelHead
from tf2bridge.estimator.heads.first import FirstHead
from tf2bridge.estimator.heads.first_classifiers import BinaryHead, MultiClassHead
from tf2bridge.estimator.heads.first_regression import RegressionHead
from tf2bridge.estimator.heads.regression import logistic_loss

v1 = tf.compat.v1

AVERAGE = v1.losses.Reduction.SUM_OVER_BATCH_SIZE


def multi_class_head(
    n_classes: int,
    weight_column: Any = None,
    label_vocabulary: Any = None,
    loss_reduction: str = AVERAGE,
    loss_fn: Any = None,
    name: str | None = None,
) -> FirstHead:
    """Returns a head for more than two classes. Raises ValueError for invalid arguments."""
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


def binary_classification_head(
    weight_column: Any = None,
    thresholds: Any = None,
    label_vocabulary: Any = None,
    loss_reduction: str = AVERAGE,
    loss_fn: Any = None,
    name: str | None = None,
) -> FirstHead:
    """Returns a head for two classes. Raises ValueError or TypeError for invalid arguments."""
    return BinaryHead(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


def regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = AVERAGE,
    loss_fn: Any = None,
    inverse_link_fn: Any = None,
    name: str | None = None,
) -> FirstHead:
    """Returns a head for regression. Raises ValueError for invalid arguments."""
    return RegressionHead(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)


def poisson_regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = AVERAGE,
    compute_full_loss: bool = True,
    name: str | None = None,
) -> FirstHead:
    """Returns a head for counts. Logits are logarithms of means. Raises ValueError for invalid arguments."""

    def loss_fn(labels: Any, logits: Any) -> Any:
        return v1.nn.log_poisson_loss(labels, logits, compute_full_loss)

    return RegressionHead(weight_column, label_dimension, loss_reduction, loss_fn, tf.exp, name)


def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = AVERAGE, name: str | None = None
) -> FirstHead:
    """Returns a head for probabilities. Raises ValueError for invalid arguments."""
    return RegressionHead(weight_column, 1, loss_reduction, logistic_loss, tf.sigmoid, name)


def multi_label_head(
    n_classes: int,
    weight_column: Any = None,
    thresholds: Any = None,
    label_vocabulary: Any = None,
    loss_reduction: str = AVERAGE,
    loss_fn: Any = None,
    classes_for_class_based_metrics: Any = None,
    name: str | None = None,
) -> FirstHead:
    """Returns a head for examples with several labels. Raises ValueError for invalid arguments."""
    return MultiLabelHead(
        n_classes,
        weight_column,
        thresholds,
        label_vocabulary,
        loss_reduction,
        loss_fn,
        classes_for_class_based_metrics,
        name,
    )


def multi_head(heads: Any, head_weights: Any = None) -> MultiHead:
    """Returns one head made of several named heads. Labels are {head: labels}. Raises ValueError if that fails."""
    return MultiHead(heads, head_weights)
