"""The losses of heads. Each returns the mean loss that is trained, and the weighted average that is reported.

Without weights both are the mean over all examples. With weights the first divides by the number of examples, the
second by the sum of weights (contrib/learn/python/learn/estimators/head.py of 1.15.5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import broadcast_weights
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1
Losses = tuple[Any, Any]


def mean_squared(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Returns the mean squared difference of `labels` and `logits`, [batch, outputs] or [batch]."""
    with v1.name_scope(None, "mean_squared_loss", (logits, labels)) as name:
        labels, logits = _columns(labels, logits)
        loss = tf.math.squared_difference(logits, tf.cast(labels, tf.float32), name=name)
        return weighted(loss, weights)


def poisson(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Returns the Poisson loss with Stirling's term. `logits` are the logarithms of the rates."""
    with v1.name_scope(None, "_poisson_loss", (logits, labels)) as name:
        labels, logits = _columns(labels, logits)
        return weighted(v1.nn.log_poisson_loss(labels, logits, compute_full_loss=True, name=name), weights)


def log_loss_with_two_classes(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Returns the cross entropy of labels 0 and 1 and the logits of class 1."""
    with v1.name_scope(None, "log_loss_with_two_classes", (logits, labels)) as name:
        logits = tf.convert_to_tensor(logits)
        labels = _column(tf.cast(labels, tf.float32))
        loss = v1.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return weighted(loss, weights)


def softmax_cross_entropy(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Returns the cross entropy of class numbers, [batch] or [batch, 1]. Raises ValueError if they are not integers."""
    with v1.name_scope(None, "softmax_cross_entropy_loss", (logits, labels)) as name:
        labels = tf.convert_to_tensor(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        is_column = labels.shape.rank == 2
        if is_column:
            labels = tf.squeeze(labels, axis=(1,))
        loss = v1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return weighted(tf.expand_dims(loss, axis=1) if is_column else loss, weights)


def sigmoid_cross_entropy(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Returns the cross entropy of independent labels, [batch, classes]."""
    with v1.name_scope(None, "sigmoid_cross_entropy_loss", (logits, labels)) as name:
        labels = tf.cast(labels, tf.float32)
        loss = v1.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return weighted(loss, weights)


def hinge(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Returns the hinge loss of labels 0 and 1."""
    with v1.name_scope(None, "hinge_loss", (logits, labels)) as name:
        with tf.control_dependencies((rank_is_at_most_2(labels),)):
            labels = tf.reshape(labels, shape=(-1, 1))
        no_reduction = v1.losses.Reduction.NONE
        return weighted(v1.losses.hinge_loss(labels=labels, logits=logits, scope=name, reduction=no_reduction), weights)


def rank_is_at_most_2(labels: Any) -> Any:
    """Returns an op that raises an error if labels have more than two dimensions."""
    return v1.Assert(
        tf.less_equal(tf.rank(labels), 2), ("labels shape should be either [batch_size, 1] or [batch_size]",)
    )


def weighted(losses: Any, weights: Any, name: str = "loss") -> Losses:
    """Returns the training loss and the reported loss, from the losses of all examples."""
    with v1.name_scope(name, values=(losses, weights)) as scope:
        if weights is None:
            loss = tf.reduce_mean(losses, name=scope)
            return loss, loss
        weights = broadcast_weights(weights, losses)
        with v1.name_scope(None, "weighted_loss", (losses, weights)) as inner:
            products = tf.multiply(losses, weights, name=inner)
        mean = tf.reduce_mean(products, name=scope)
        total = tf.cast(tf.reduce_sum(weights), tf.float32)
        return mean, v1.div(tf.reduce_sum(products), total, name="weighted_average_loss")


def of_user(loss_fn: Callable[..., Any] | None) -> Callable[..., Losses] | None:
    """Adapts a program's loss function to this interface. Raises ValueError if it lacks a parameter."""
    if loss_fn is None:
        return None
    for name in ("labels", "logits", "weights"):
        if name not in fn_args(loss_fn):
            raise ValueError(f"Argument {name} not found in loss_fn.")

    def losses(labels: Any, logits: Any, weights: Any = None) -> Losses:
        loss = loss_fn(labels, logits) if weights is None else loss_fn(labels, logits, weights)
        return loss, loss

    return losses


def _columns(labels: Any, logits: Any) -> tuple[Any, Any]:
    logits, labels = _column(tf.convert_to_tensor(logits)), _column(tf.convert_to_tensor(labels))
    logits.shape.assert_is_compatible_with(labels.shape)
    return labels, logits


def _column(values: Any) -> Any:
    return tf.expand_dims(values, axis=1) if values.shape.rank == 1 else values
