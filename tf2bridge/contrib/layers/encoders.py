"""Embeddings of sequences and of bags of words, and the lookups that they use."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.embedding_ops import embedding_lookup_unique, safe_embedding_lookup_sparse
from tf2bridge.contrib.layers.sparse_ops import dense_to_sparse_tensor

v1 = tf.compat.v1


def bow_encoder(
    ids: Any,
    vocab_size: int,
    embed_dim: int,
    sparse_lookup: bool = True,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Any:
    """Returns the mean embedding of the `ids`, [batch, length], as [batch, embed_dim].

    With `sparse_lookup`, the id 0 and the places that a SparseTensor leaves out do not count.

    Raises:
        ValueError: a size is missing.
        TypeError: `ids` is a SparseTensor, and `sparse_lookup` is false.
    """
    if not vocab_size or not embed_dim:
        raise ValueError(f"bow_encoder needs vocab_size and embed_dim, not {vocab_size} and {embed_dim}")
    with v1.variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        if sparse_lookup:
            sparse = ids if isinstance(ids, tf.SparseTensor) else dense_to_sparse_tensor(ids)
            return safe_embedding_lookup_sparse([embeddings], sparse, combiner="mean", default_id=0)
        if isinstance(ids, tf.SparseTensor):
            raise TypeError("bow_encoder without sparse_lookup takes a dense Tensor of ids, not a SparseTensor")
        return tf.reduce_mean(v1.nn.embedding_lookup(embeddings, ids), axis=1)


def embed_sequence(
    ids: Any,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Any:
    """Returns the embedding of each of the `ids`, [batch, length], as [batch, length, embed_dim].

    `unique` looks up each distinct id once.

    Raises:
        ValueError: a size is missing, and no variables are reused.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            f"embed_sequence needs vocab_size and embed_dim unless it reuses, not {vocab_size} and {embed_dim}"
        )
    with v1.variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        known = not (reuse and vocab_size is None) and embed_dim is not None
        embeddings = model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim] if known else None,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        return (embedding_lookup_unique if unique else v1.nn.embedding_lookup)(embeddings, ids)
