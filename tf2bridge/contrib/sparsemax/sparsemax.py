"""Sparsemax and its loss: Martins and Astudillo, "From Softmax to Sparsemax", 2016."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def sparsemax(logits: Any, name: str | None = None) -> Any:
    """Returns the Euclidean projection of each row of `logits` [batch, classes] on the simplex, or NaN.

    Algorithm 1 of the paper.
    """
    with v1.name_scope(name, "sparsemax", [logits]):
        logits = tf.convert_to_tensor(logits, name="logits")
        rows, classes = tf.shape(logits)[0], tf.shape(logits)[1]
        ordered, _ = tf.nn.top_k(logits, k=classes)
        sums = tf.cumsum(ordered, axis=1)
        places = tf.range(1, tf.cast(classes, logits.dtype) + 1, dtype=logits.dtype)
        size = tf.reduce_sum(tf.cast(1 + places * ordered > sums, tf.int32), axis=1)
        last = tf.stack([tf.range(0, rows), tf.maximum(size, 1) - 1], axis=1)
        threshold = (tf.gather_nd(sums, last) - 1) / tf.cast(size, logits.dtype)
        projection = tf.maximum(tf.cast(0, logits.dtype), logits - threshold[:, tf.newaxis])
        wrong = tf.logical_or(tf.equal(size, 0), tf.math.is_nan(sums[:, -1]))
        return v1.where(wrong, tf.fill([rows, classes], tf.cast(float("nan"), logits.dtype)), projection)


def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: str | None = None) -> Any:
    """Returns the loss [batch] of `logits`, their `sparsemax` and `labels`, all [batch, classes]; section 3.2."""
    with v1.name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        logits = tf.convert_to_tensor(logits, name="logits")
        sparsemax = tf.convert_to_tensor(sparsemax, name="sparsemax")
        labels = tf.convert_to_tensor(labels, name="labels")
        supported = tf.logical_or(sparsemax > 0, tf.math.is_nan(sparsemax))
        support = v1.where(supported, sparsemax * (logits - 0.5 * sparsemax), tf.zeros_like(sparsemax))
        truth = labels * (0.5 * labels - logits)
        infinite = tf.logical_and(tf.equal(labels, 0), tf.math.is_inf(logits))
        truth = v1.where(infinite, tf.zeros_like(logits), truth)
        return tf.reduce_sum(support + truth, axis=1)
