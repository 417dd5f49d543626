"""Tensors conditioned on other tensors."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.layers.fully_connected import linear
from tf2bridge.contrib.layers.layers.reshaping import flatten

v1 = tf.compat.v1


def condition_tensor(tensor: Any, conditioning: Any) -> Any:
    """Returns `tensor`, [batch, ...], plus a linear layer of `conditioning`, [batch, features].

    Van den Oord et al., "WaveNet", 2016, https://arxiv.org/abs/1609.03499.

    Raises:
        ValueError: a size of `tensor` other than the batch is unknown, or the shapes do not fit.
    """
    tensor.shape[1:].assert_is_fully_defined()
    mapped = linear(flatten(conditioning), tensor.shape[1:].num_elements())
    if not mapped.shape.is_compatible_with(tensor.shape):
        shape = tf.shape(tensor)
        known = tf.get_static_value(shape)
        mapped = tf.reshape(mapped, shape if known is None else known)
    return tensor + mapped


def condition_tensor_from_onehot(tensor: Any, one_hot_labels: Any, embedding_size: int = 256) -> Any:
    """Returns `tensor` conditioned on the rows of the variable `embedding` for `one_hot_labels`, [batch, classes].

    Raises:
        ValueError: the labels do not have rank 2, the number of classes is unknown, or `condition_tensor` fails.
    """
    one_hot_labels.shape.assert_has_rank(2)
    one_hot_labels.shape[1:].assert_is_fully_defined()
    labels = v1.argmax(one_hot_labels, axis=1)
    embedding = v1.get_variable("embedding", [one_hot_labels.shape.as_list()[1], embedding_size])
    return condition_tensor(tensor, v1.nn.embedding_lookup(embedding, labels, name="token_to_embedding"))
