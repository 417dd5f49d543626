"""The hinge loss of several classes. Crammer and Singer, 2001."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def sparse_multiclass_hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = v1.GraphKeys.LOSSES,
    reduction: str = v1.losses.Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:
    """Returns the hinge loss of `logits`, [batch, classes], and `labels`, [batch] or [batch, 1].

    The loss of an example is max(0, 1 - logit of the label + largest other logit).

    Raises:
        ValueError: a rank is wrong, or the labels are not integers.
    """
    with v1.name_scope(scope, "sparse_multiclass_hinge_loss", (logits, labels)) as name:
        if logits.shape.rank != 2:
            raise ValueError(f"logits have shape {logits.shape}; they must be [batch, classes]")
        sizes = tf.shape(logits)
        batch, classes = sizes[0], sizes[1]
        logits = tf.cast(logits, tf.float32)
        labels = _checked_labels(labels, classes)
        weights = _checked_weights(weights, labels)
        examples = tf.reshape(tf.range(batch), shape=[batch, 1])
        places = tf.concat([examples, tf.reshape(tf.cast(labels, examples.dtype), shape=[batch, 1])], axis=1)
        right = tf.reshape(v1.gather_nd(params=logits, indices=places), shape=[batch, 1])
        wrong_classes = tf.one_hot(indices=labels, depth=classes, on_value=0.0, off_value=1.0)
        loss = v1.reduce_max(tf.nn.relu(logits - right + wrong_classes), axis=1)
        return v1.losses.compute_weighted_loss(loss, weights, name, loss_collection, reduction=reduction)


def _checked_labels(labels: Any, classes: Any) -> Any:
    if labels.dtype not in (tf.int32, tf.int64):
        raise ValueError(f"labels are of dtype {labels.dtype.name}; they must be int32 or int64")
    if labels.shape.rank not in (1, 2):
        raise ValueError(f"labels have shape {labels.shape}; they must be [batch] or [batch, 1]")
    with tf.control_dependencies([v1.assert_less(labels, tf.cast(classes, labels.dtype))]):
        return tf.reshape(labels, shape=[-1])


def _checked_weights(weights: Any, labels: Any) -> Any:
    weights = tf.convert_to_tensor(weights)
    if weights.shape.rank not in (0, 1, 2):
        raise ValueError(f"weights have shape {weights.shape}; they must be a scalar, [batch] or [batch, 1]")
    if weights.shape.rank > 0:
        weights = tf.reshape(weights, shape=[-1])
        weights.shape.assert_is_compatible_with(labels.shape)
    return weights
