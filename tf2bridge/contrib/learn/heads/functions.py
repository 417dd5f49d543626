"""The functions that make heads: `tf.contrib.learn.multi_class_head` and its relatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.heads import losses
from tf2bridge.contrib.learn.heads.head import Head
from tf2bridge.contrib.learn.heads.several import LossOnlyHead, MultiHead
from tf2bridge.contrib.learn.heads.single import (
    BinaryLogisticHead,
    BinarySvmHead,
    MultiClassHead,
    MultiLabelHead,
    RegressionHead,
)

v1 = tf.compat.v1


def regression_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    link_fn: Callable[[Any], Any] | None = None,
) -> Head:
    """Returns the head of a linear regression with squared loss, [batch, label_dimension]."""
    return RegressionHead(
        label_dimension,
        losses.mean_squared,
        link_fn or tf.identity,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def poisson_regression_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
) -> Head:
    """Returns the head of a regression of counts; the logits are logarithms of rates."""
    return RegressionHead(
        label_dimension,
        losses.poisson,
        tf.exp,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def multi_class_head(
    n_classes: int,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Iterable[float] | None = None,
    metric_class_ids: Iterable[int] | None = None,
    loss_fn: Callable[..., Any] | None = None,
    label_keys: Sequence[str] | None = None,
) -> Head:
    """Returns the head of a classifier: logistic regression for two classes, softmax for more.

    Raises:
        ValueError: there are fewer than two classes, or two classes with `metric_class_ids` or `label_keys`.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    own_loss = losses.of_user(loss_fn)
    keywords: dict[str, Any] = {
        "thresholds": thresholds,
        "label_name": label_name,
        "weight_column_name": weight_column_name,
        "enable_centered_bias": enable_centered_bias,
        "head_name": head_name,
    }
    if n_classes > 2:
        loss = own_loss or losses.softmax_cross_entropy
        return MultiClassHead(n_classes, loss, label_keys, metric_class_ids=metric_class_ids, **keywords)
    if metric_class_ids:
        raise ValueError("metric_class_ids invalid for n_classes==2.")
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return BinaryLogisticHead(own_loss or losses.log_loss_with_two_classes, **keywords)


def binary_svm_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Iterable[float] | None = None,
) -> Head:
    """Returns the head of two classes with hinge loss."""
    return BinarySvmHead(
        losses.hinge,
        thresholds,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def multi_label_head(
    n_classes: int,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Iterable[float] | None = None,
    metric_class_ids: Iterable[int] | None = None,
    loss_fn: Callable[..., Any] | None = None,
) -> Head:
    """Returns the head of independent labels, [batch, n_classes]. Raises ValueError for fewer than two."""
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    return MultiLabelHead(
        n_classes,
        losses.of_user(loss_fn) or losses.sigmoid_cross_entropy,
        thresholds,
        metric_class_ids,
        label_name=label_name,
        weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )


def loss_only_head(loss_fn: Callable[[], Any], head_name: str | None = None) -> Head:
    """Returns a head that predicts nothing and adds the loss, or the losses, of `loss_fn()`."""
    return LossOnlyHead(loss_fn, head_name)


def multi_head(heads: Sequence[Any], loss_weights: Sequence[float] | None = None) -> Head:
    """Returns several heads as one, whose loss is the weighted sum of theirs. Raises ValueError for other weights."""
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")

    def merged(parts: Sequence[Any]) -> Any:
        if not loss_weights:
            return tf.add_n(parts)
        if len(parts) != len(loss_weights):
            raise ValueError("losses and loss_weights must have same size")
        return tf.add_n([tf.multiply(loss, weight) for loss, weight in zip(parts, loss_weights, strict=True)])

    return MultiHead(heads, merged)
