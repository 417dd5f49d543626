"""Losses of embeddings, by the distances within and between classes, from contrib.losses.metric_learning."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def contrastive_loss(labels: Any, embeddings_anchor: Any, embeddings_positive: Any, margin: float = 1.0) -> Any:
    """Returns the mean of d ** 2 for pairs with label 1, max(0, margin - d) ** 2 with label 0 (Hadsell et al., 2006).

    `labels` are [batch], both embeddings [batch, size].
    """
    squares = tf.reduce_sum(tf.math.squared_difference(embeddings_anchor, embeddings_positive), 1)
    distances = tf.sqrt(squares)
    same = tf.cast(labels, distances.dtype) * tf.square(distances)
    different = 1.0 - tf.cast(labels, distances.dtype)
    return tf.reduce_mean(same + different * tf.square(tf.maximum(margin - distances, 0.0)), name="contrastive_loss")


def triplet_semihard_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """Returns the triplet loss. The negative is the nearest one beyond the positive, or the farthest if none is.

    (Schroff et al., 2015, https://arxiv.org/abs/1503.03832.) `labels` are [batch], `embeddings` [batch, size].
    """
    same = _same_class(labels)
    distances = pairwise_distance(embeddings, squared=True)
    different = tf.logical_not(same)
    batch = tf.size(labels)
    tiled = tf.tile(distances, [batch, 1])
    farther = tf.greater(tiled, tf.reshape(tf.transpose(distances), [-1, 1]))
    mask = tf.logical_and(tf.tile(different, [batch, 1]), farther)
    count = tf.reduce_sum(tf.cast(mask, dtype=tf.float32), 1, keepdims=True)
    any_farther = tf.transpose(tf.reshape(tf.greater(count, 0.0), [batch, batch]))
    nearest = masked_minimum(tiled, tf.cast(mask, dtype=tf.float32))
    nearest = tf.transpose(tf.reshape(nearest, [batch, batch]))
    farthest = tf.tile(masked_maximum(distances, tf.cast(different, dtype=tf.float32)), [1, batch])
    losses = tf.add(margin, distances - v1.where(any_farther, nearest, farthest))
    positives = _positives(same, batch)
    pairs = tf.reduce_sum(positives)
    total = tf.reduce_sum(tf.maximum(tf.multiply(losses, positives), 0.0))
    return tf.truediv(total, pairs, name="triplet_semihard_loss")


def npairs_loss(
    labels: Any,
    embeddings_anchor: Any,
    embeddings_positive: Any,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Any:
    """Returns the cross entropy of the similarities of all pairs, plus a penalty of their norms (Sohn, 2016).

    `labels` are [batch], both embeddings [batch, size].
    """
    penalty = _norm_penalty(embeddings_anchor, embeddings_positive, reg_lambda)
    similarity = tf.matmul(embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True)
    return _npairs(penalty, similarity, tf.cast(_same_class(labels), tf.float32), print_losses)


def npairs_loss_multilabel(
    sparse_labels: Any,
    embeddings_anchor: Any,
    embeddings_positive: Any,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Any:
    """Returns `npairs_loss` for pairs with several labels (SparseTensors). Shared labels are the weights of pairs.

    Raises:
        TypeError: the labels are not SparseTensors.
    """
    if not all(isinstance(labels, tf.SparseTensor) for labels in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, not {sparse_labels}")
    with v1.name_scope("NpairsLossMultiLabel"):
        penalty = _norm_penalty(embeddings_anchor, embeddings_positive, reg_lambda)
        similarity = tf.matmul(embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True)
        return _npairs(penalty, similarity, tf.cast(_shared_labels(sparse_labels), tf.float32), print_losses)


def lifted_struct_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """Returns the loss of each positive pair against all negatives of both (Song et al., 2016, arXiv:1511.06452).

    `labels` are [batch], `embeddings` [batch, size].
    """
    same = _same_class(labels)
    distances = pairwise_distance(embeddings)
    batch = tf.size(labels)
    inverse = margin - distances
    mask = tf.cast(tf.logical_not(same), dtype=tf.float32)
    most = masked_maximum(inverse, mask)
    most = tf.maximum(most, tf.transpose(most))
    tiled, tiled_mask = tf.tile(inverse, [batch, 1]), tf.tile(mask, [batch, 1])
    column = tf.reshape(tf.transpose(most), [-1, 1])
    left = tf.reduce_sum(tf.multiply(tf.exp(tiled - column), tiled_mask), 1, keepdims=True)
    left = tf.reshape(left, [batch, batch])
    losses = most + tf.math.log(left + tf.transpose(left)) + distances
    positives = _positives(same, batch)
    pairs = tf.reduce_sum(positives) / 2.0
    total = tf.reduce_sum(tf.square(tf.maximum(tf.multiply(losses, positives), 0.0)))
    return tf.truediv(0.25 * total, pairs, name="liftedstruct_loss")


def pairwise_distance(feature: Any, squared: bool = False) -> Any:
    """Returns the Euclidean distances, [batch, batch], between the rows of `feature`, or their squares.

    The gradient at distance 0 is 0, not infinite.
    """
    rows = tf.reduce_sum(tf.square(feature), axis=[1], keepdims=True)
    columns = tf.reduce_sum(tf.square(tf.transpose(feature)), axis=[0], keepdims=True)
    distances = tf.maximum(tf.add(rows, columns) - 2.0 * tf.matmul(feature, tf.transpose(feature)), 0.0)
    zero = tf.less_equal(distances, 0.0)
    if not squared:
        distances = tf.sqrt(distances + tf.cast(zero, tf.float32) * 1e-16)
    distances = tf.multiply(distances, tf.cast(tf.logical_not(zero), tf.float32))
    diagonal = tf.linalg.tensor_diag(tf.ones([tf.shape(feature)[0]]))
    return tf.multiply(distances, v1.ones_like(distances) - diagonal)


def masked_maximum(data: Any, mask: Any, dim: int = 1) -> Any:
    """Returns the maximum of `data` along `dim` over places with `mask` 1, keeping the dimension."""
    least = tf.reduce_min(data, dim, keepdims=True)
    return tf.reduce_max(tf.multiply(data - least, mask), dim, keepdims=True) + least


def masked_minimum(data: Any, mask: Any, dim: int = 1) -> Any:
    """Returns the minimum of `data` along `dim` over places with `mask` 1, keeping the dimension."""
    most = tf.reduce_max(data, dim, keepdims=True)
    return tf.reduce_min(tf.multiply(data - most, mask), dim, keepdims=True) + most


def _same_class(labels: Any) -> Any:
    shape = tf.shape(labels)
    assert shape.shape == [1], f"the labels must be [batch], not of rank {shape.shape}"
    column = tf.reshape(labels, [shape[0], 1])
    return tf.equal(column, tf.transpose(column))


def _positives(same: Any, batch: Any) -> Any:
    return tf.cast(same, dtype=tf.float32) - tf.linalg.tensor_diag(tf.ones([batch]))


def _norm_penalty(anchor: Any, positive: Any, scale: float) -> Any:
    norms = [tf.reduce_mean(tf.reduce_sum(tf.square(embeddings), 1)) for embeddings in (anchor, positive)]
    return tf.multiply(0.25 * scale, norms[0] + norms[1], name="l2loss")


def _npairs(penalty: Any, similarity: Any, labels: Any, print_losses: bool) -> Any:
    labels /= tf.reduce_sum(labels, 1, keepdims=True)
    losses = v1.nn.softmax_cross_entropy_with_logits(logits=similarity, labels=labels)
    mean = tf.reduce_mean(losses, name="xentropy")
    if print_losses:
        mean = v1.Print(mean, ["cross entropy:", mean, "l2loss:", penalty])
    return penalty + mean


def _shared_labels(sparse_labels: Any) -> Any:
    """Returns the number of common labels of every two examples, [pairs, pairs]."""
    count = len(sparse_labels)
    total = tf.zeros([count, count])
    for i, first in enumerate(sparse_labels):
        for j, second in enumerate(sparse_labels):
            shared = v1.sparse_reduce_sum(tf.sparse.minimum(first, second))
            shared = tf.expand_dims(tf.expand_dims(tf.cast(shared, tf.float32), 0), 1)
            total += tf.pad(shared, [[i, count - i - 1], [j, count - j - 1]], "CONSTANT")
    return total
