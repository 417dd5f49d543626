"""The losses of `tf.contrib.losses`, and the collections that they are in."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope

v1 = tf.compat.v1


_SCALAR = np.zeros(0, np.int32)  # of a list [], TensorFlow 2 makes two constants


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the scalar mean of `losses`, [batch, ...], times `weights`, and adds it to the collection of losses.

    `weights` are one number, or have the first dimensions of the losses. Elements with weight 0 do not count.

    Raises:
        ValueError: a rank is unknown.
    """
    with v1.name_scope(scope, "weighted_loss", [losses, weights]):
        return weighted_mean(losses, weights)


def weighted_mean(losses: Any, weights: Any = 1.0) -> Any:
    """Returns and records what `compute_weighted_loss` does, in the name scope in force."""
    losses = tf.convert_to_tensor(losses)
    dtype = losses.dtype
    losses = tf.cast(losses, tf.float32)
    weights = as_weights(weights)
    known_rank(losses, "losses")
    if known_rank(weights, "weights") > 1 and weights.shape[-1:].is_compatible_with([1]):
        weights = tf.squeeze(weights, [-1])
    total = scaled_sum(losses, weights)
    mean = tf.cast(_safe_mean(total, number_present(losses, weights)), dtype)
    add_loss(mean)
    return mean


def as_weights(weights: Any) -> Any:
    """Returns the weights as a float32 tensor."""
    return tf.cast(tf.convert_to_tensor(weights), tf.float32)


def known_rank(tensor: Any, role: str) -> int:
    """Returns the rank of `tensor`. Raises ValueError if it is not known."""
    if tensor.shape.rank is None:
        raise ValueError(f"the rank of the {role} is not known; set it with set_shape")
    return int(tensor.shape.rank)


def scaled_sum(losses: Any, weights: Any) -> Any:
    """Returns the sum of `losses` times `weights`, whose shape is a beginning of theirs."""
    axes = list(range(weights.shape.rank, losses.shape.rank))
    return tf.reduce_sum(tf.multiply(tf.reduce_sum(losses, axis=axes), weights))


def number_present(losses: Any, weights: Any, per_batch: bool = False) -> Any:
    """Returns how many of the `losses` have a weight other than 0: in all, or of each example, [batch]."""
    if weights.shape.rank == 0:
        batch = tf.reshape(tf.slice(tf.shape(losses), [0], [1]), _SCALAR)
        size = v1.div(tf.cast(tf.size(losses), tf.float32), tf.cast(batch, tf.float32))
        size = v1.where(tf.equal(weights, 0), 0.0, size)
        count = tf.multiply(tf.ones(tf.reshape(batch, [1])), size)
    else:
        axes = list(range(1, weights.shape.rank))
        nonzero = tf.reduce_sum(tf.cast(tf.not_equal(weights, 0), tf.float32), axis=axes)
        remaining_sizes = tf.slice(tf.shape(losses), [weights.shape.rank], [-1])
        count = tf.multiply(nonzero, tf.cast(tf.reduce_prod(remaining_sizes), tf.float32))
    return count if per_batch else tf.reduce_sum(count)


def _safe_mean(total: Any, present: Any) -> Any:
    return tf.math.divide_no_nan(tf.reduce_sum(total), present, name="value")


def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the weighted mean of abs(predictions - labels). Raises ValueError for other shapes."""
    with v1.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.abs(tf.subtract(predictions, labels)), weights, scope=name)


def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the weighted mean of (predictions - labels) ** 2. Raises ValueError for other shapes."""
    with v1.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.math.squared_difference(predictions, labels), weights, scope=name)


def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> Any:
    """Returns the weighted mean of the cross entropy of probabilities. Raises ValueError for other shapes."""
    with v1.name_scope(scope, "log_loss", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        true = -tf.multiply(labels, tf.math.log(predictions + epsilon))
        false = tf.multiply(1 - labels, tf.math.log(1 - predictions + epsilon))
        return compute_weighted_loss(true - false, weights, scope=name)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """Returns max(0, 1 - logits * (2 * labels - 1)), unreduced; the labels are 0 or 1. Records no loss."""
    with v1.name_scope(scope, "hinge_loss", [logits, labels]):
        logits.shape.assert_is_compatible_with(labels.shape)
        labels = tf.cast(labels, tf.float32)
        ones = v1.ones_like(labels)
        labels = tf.subtract(2 * labels, ones)
        return v1.nn.relu(tf.subtract(ones, tf.multiply(labels, logits)))


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> Any:
    """Returns the weighted mean of 1 - sum(predictions * labels) along `axis`, for vectors of length 1.

    Raises ValueError without an axis, with both of its names, and for other shapes.
    """
    if axis is not None and dim is not None:
        raise ValueError("cosine_distance: 'dim' is the old name of 'axis'; give one of them")
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("cosine_distance needs an axis: that of the vectors")
    with v1.name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as name:
        predictions, labels = _floats(predictions, labels)
        losses = 1 - tf.reduce_sum(tf.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(losses, weights, scope=name)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> Any:
    """Returns the mean squared difference between the differences of all pairs within an example.

    Raises:
        ValueError: the shapes differ, or a rank is unknown.
    """
    with v1.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]):
        predictions, labels = _floats(predictions, labels)
        weights = as_weights(weights)
        differences = tf.subtract(predictions, labels)
        axes = list(range(1, known_rank(differences, "differences")))
        known_rank(weights, "weights")
        squares = tf.reduce_sum(tf.square(differences), axis=axes)
        present = number_present(differences, weights, per_batch=True)
        first = 2.0 * tf.math.divide_no_nan(squares, present, name="value")
        total = tf.reduce_sum(differences, axis=axes)
        second = 2.0 * tf.math.divide_no_nan(tf.square(total), tf.square(present), name="value")
        loss = scaled_sum(first - second, weights)
        mean = v1.where(tf.reduce_sum(present) > 0, loss, v1.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


def _floats(predictions: Any, labels: Any) -> tuple[Any, Any]:
    predictions.shape.assert_is_compatible_with(labels.shape)
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)


def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> Any:
    """Returns the weighted mean over all classes; smoothing pulls the labels to 1/2. ValueError for other shapes."""
    with v1.name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as name:
        logits.shape.assert_is_compatible_with(multi_class_labels.shape)
        labels = tf.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = v1.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=name)


def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> Any:
    """Returns the weighted mean; smoothing pulls the labels to 1 / classes. Raises ValueError for other shapes."""
    with v1.name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as name:
        logits.shape.assert_is_compatible_with(onehot_labels.shape)
        labels = tf.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        losses = v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=name)


def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Returns the weighted mean for `labels`, [batch] or [batch, 1], of class numbers."""
    with v1.name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as name:
        labels = tf.reshape(labels, shape=[tf.shape(labels)[0]])
        losses = v1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=name)


@add_arg_scope
def add_loss(loss: Any, loss_collection: str | None = v1.GraphKeys.LOSSES) -> None:
    """Puts `loss` into the collection, if there is one."""
    if loss_collection:
        v1.add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = v1.GraphKeys.LOSSES) -> list[Any]:
    """Returns the losses of the collection in `scope`."""
    return list(v1.get_collection(loss_collection, scope))


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Returns the regularization losses in `scope`."""
    return list(v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES, scope))


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Any:
    """Returns the sum of all losses, optionally with regularization losses. Raises ValueError if there are none."""
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return tf.add_n(losses, name=name)
