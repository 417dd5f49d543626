"""Embedding lookups: for sparse ids, for unique ids, and for ids that are hashed into one vector of weights."""

from __future__ import annotations

import logging
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.sparse_feature_cross_op import sparse_feature_cross

v1 = tf.compat.v1
_log = logging.getLogger(__name__)

_EMPTY_TEXT, _EMPTY_NUMBER = "6ZxWzWOHxZ", 1288896567
"""What a row without values counts as in contrib/layers/python/layers/embedding_ops.py (1.x)."""


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str | None = None,
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
) -> Any:
    """Returns the combined embeddings of each row of `sparse_ids`, [batch, ..., size]. An empty row gives zeros.

    Args:
        embedding_weights: the embeddings, as one tensor or as parts.
        sparse_ids: the ids of each row. Negative ids are left out.
        sparse_weights: the weights of the ids. Ids whose weight is 0 or negative are left out.
        combiner: "mean" (the default), "sqrtn" or "sum".
        default_id: the id that stands in empty rows.
        name: the name of the operation.
        partition_strategy: "div" or "mod".
        max_norm: the largest norm of an embedding.

    Raises:
        ValueError: `embedding_weights` is empty.
    """
    if embedding_weights is None:
        raise ValueError("safe_embedding_lookup_sparse needs embedding_weights, not None")
    if (
        isinstance(embedding_weights, list)
        and len({tf.as_dtype(part.dtype).base_dtype for part in embedding_weights}) > 1
    ):
        raise ValueError("all parts of embedding_weights must be of one dtype")
    return v1.nn.safe_embedding_lookup_sparse(
        embedding_weights,
        sparse_ids,
        sparse_weights,
        combiner=_combiner(combiner),
        default_id=default_id,
        name=name,
        partition_strategy=partition_strategy,
        max_norm=max_norm,
    )


def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Any:
    """Returns the embeddings of the `ids`, [..., size]. Each distinct id is looked up once."""
    with v1.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        shape = tf.shape(ids)
        flat = tf.reshape(ids, tf.reduce_prod(shape, keepdims=True))
        different, index = tf.unique(flat)
        rows = v1.nn.embedding_lookup(params, different, partition_strategy)
        embeddings = tf.gather(rows, index)
        embeddings = tf.reshape(embeddings, tf.concat([shape, tf.shape(rows)[1:]], 0))
        embeddings.set_shape(ids.shape.concatenate(rows.shape[1:]))
        return embeddings


def scattered_embedding_lookup(
    params: Any, values: Any, dimension: int | None, name: str | None = None, hash_key: int | None = None
) -> Any:
    """Returns [..., dimension]: for each of the `values`, `dimension` numbers of `params`, chosen by its hash.

    `params` is a vector, or the parts of a vector.

    Raises:
        ValueError: `dimension` is not above 0, or the parts have unequal sizes.
    """
    if dimension is None:
        raise ValueError("scattered_embedding_lookup needs a dimension")
    return sampled_scattered_embedding_lookup(params, values, dimension, hash_key=hash_key, name=name)


def sampled_scattered_embedding_lookup(
    params: Any,
    values: Any,
    dimension: int | None = None,
    sampled_candidates: Any = None,
    hash_key: int | None = None,
    name: str | None = None,
) -> Any:
    """Returns some or all components of `scattered_embedding_lookup`.

    The result is [..., dimension] without `sampled_candidates`. With them, [..., n], it holds these components only.
    The session raises an error if the shapes of candidates and values do not fit.

    Raises:
        ValueError: neither `dimension` nor `sampled_candidates` is given.
    """
    parts = _parts(params)
    with v1.name_scope(name, "scattered_embedding_lookup", [*parts, dimension, values]):
        shape = tf.shape(values)
        column = tf.reshape(values, [-1, 1])
        if sampled_candidates is None:
            if dimension is None:
                raise ValueError("give dimension or sampled_candidates")
            if dimension <= 0:
                raise ValueError(f"the dimension must be above 0, not {dimension}")
            candidates = tf.tile(tf.expand_dims(tf.range(0, dimension), 0), tf.shape(column))
            checks: list[Any] = []
        else:
            candidates, dimension, checks = _checked_candidates(sampled_candidates, shape)
        with tf.control_dependencies(checks):
            crossed = sparse_feature_cross(
                [candidates, column], hashed_output=True, num_buckets=_total(parts), hash_key=hash_key
            )
        ids = v1.sparse_tensor_to_dense(crossed)
        components = v1.nn.embedding_lookup(parts, ids, partition_strategy="div")
        return tf.reshape(components, tf.concat([shape, [dimension]], 0))


def _checked_candidates(candidates: Any, shape: Any) -> tuple[Any, Any, list[Any]]:
    """Returns the candidates as [values, n], n, and the ops that check their shape."""
    number = tf.shape(candidates)[tf.subtract(tf.rank(candidates), 1)]
    given = tf.shape(candidates)
    expected = tf.concat([shape, tf.reshape(number, shape=[1])], 0)
    message = ["The shape of sampled_candidates: ", given, " does not match the shape of values: ", shape]
    checks = [v1.Assert(tf.reduce_all(tf.equal(given, expected)), message)]
    with tf.control_dependencies(checks):
        return tf.reshape(candidates, [-1, number]), number, checks


def sampled_scattered_embedding_lookup_sparse(
    params: Any,
    sp_values: Any,
    dimension: int | None = None,
    sampled_candidates: Any = None,
    hash_key: int | None = None,
    with_sign_hash: bool = False,
    name: str | None = None,
) -> Any:
    """Returns the sum of the scattered embeddings of each row of `sp_values`, [batch, dimension].

    `sampled_candidates`, [batch, n], selects components. `with_sign_hash` multiplies each component by 1 or -1, chosen
    by a second hash.

    Raises:
        TypeError: `sp_values` is not a SparseTensor.
        ValueError: neither `dimension` nor `sampled_candidates` is given.
    """
    if not isinstance(sp_values, tf.SparseTensor):
        raise TypeError(f"sp_values must be a SparseTensor, not {type(sp_values).__name__}")
    tensors = [sp_values, params, dimension, sampled_candidates]
    with v1.name_scope(name, "sampled_scattered_embedding_lookup_sparse", tensors) as scope:
        rows = sp_values.indices[:, 0]
        if sampled_candidates is not None:
            sampled_candidates = tf.gather(sampled_candidates, rows)

        def looked_up(weights: Any, lookup_name: str) -> Any:
            return sampled_scattered_embedding_lookup(
                weights, sp_values.values, dimension, sampled_candidates, hash_key, name=lookup_name
            )

        embeddings = looked_up(params, "values_lookup")
        if with_sign_hash:
            embeddings = tf.multiply(looked_up(tf.constant([-1.0, 1.0]), "signs_lookup"), embeddings, name="signs_hash")
        rows = tf.cast(rows, tf.int32)
        return v1.unsorted_segment_sum(embeddings, rows, num_segments=v1.shape(sp_values)[0], name=scope)


def scattered_embedding_lookup_sparse(
    params: Any,
    sparse_values: Any,
    dimension: int,
    combiner: str | None = None,
    default_value: Any = None,
    name: str | None = None,
    hash_key: int | None = None,
) -> Any:
    """Returns the combined scattered embeddings of each row of `sparse_values`, [batch, dimension].

    Raises:
        TypeError: `sparse_values` is not a SparseTensor.
        ValueError: the combiner is unknown.
    """
    combiner = _combiner(combiner)
    parts = _parts(params)
    if not isinstance(sparse_values, tf.SparseTensor):
        raise TypeError(f"sparse_values must be a SparseTensor, not {type(sparse_values).__name__}")
    with v1.name_scope(name, "scattered_embedding_lookup_sparse", [*parts, sparse_values]) as scope:
        if default_value is None:
            default_value = _EMPTY_TEXT if sparse_values.dtype == tf.string else _EMPTY_NUMBER
        sparse_values, _ = tf.sparse.fill_empty_rows(sparse_values, default_value)
        rows = tf.cast(sparse_values.indices[:, 0], tf.int32)
        values, index = tf.unique(sparse_values.values)
        embeddings = scattered_embedding_lookup(parts, values, dimension, hash_key=hash_key)
        if combiner not in ("sum", "mean", "sqrtn"):
            raise ValueError(f"the combiner must be 'mean', 'sqrtn' or 'sum', not {combiner!r}")
        kinds = {"sum": "segment_sum", "mean": "segment_mean", "sqrtn": "segment_sqrt_n"}
        return getattr(v1, f"sparse_{kinds[combiner]}")(embeddings, index, rows, name=scope)


def embedding_lookup_sparse_with_distributed_aggregation(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: float | None = None,
) -> Any:
    """Returns the same as `tf.nn.embedding_lookup_sparse`. (1.x first added up on the device of each part.)"""
    return v1.nn.embedding_lookup_sparse(
        params, sp_ids, sp_weights, partition_strategy, name, _combiner(combiner), max_norm
    )


def _combiner(chosen: str | None) -> str:
    if chosen is None:
        _log.warning('no combiner is given, "mean" is used')
        return "mean"
    return chosen


def _parts(params: Any) -> list[Any]:
    return list(params) if isinstance(params, list) or hasattr(params, "as_tensor") else [params]


def _total(parts: list[Any]) -> int:
    """Returns the number of weights in all parts. The lookup assumes that longer parts come first."""
    for part in parts:
        part.shape.assert_has_rank(1)
        part.shape.assert_is_fully_defined()
    sizes = [part.shape.as_list()[0] for part in parts]
    for number, size in enumerate(sizes):
        expected = (sum(sizes) - number - 1) // len(parts) + 1
        if size != expected:
            raise ValueError(f"part {number} of the params has the size {size}, not {expected}")
    return int(sum(sizes))
