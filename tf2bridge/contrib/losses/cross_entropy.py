"""The cross entropies of contrib.losses: logits first, labels second."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.losses.weighting import compute_weighted_loss

v1 = tf.compat.v1


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
