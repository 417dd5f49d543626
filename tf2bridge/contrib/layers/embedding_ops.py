"""Lookups of embeddings: of sparse ids, of each id once, and of ids that are hashed into one vector of weights."""

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
    """Returns the embeddings of each row of `sparse_ids` combined, [batch, ..., size]: zeros for an empty row.

    Ids below 0 and weights that are not above 0 do not count; `default_id` fills empty rows. `combiner` is "mean" (the
    default), "sqrtn" or "sum". Raises ValueError without weights.
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
    """Returns the embeddings of the `ids`, [..., size], each different one looked up once."""
    with v1.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        shape = tf.shape(ids)
        flat = tf.reshape(ids, tf.reduce_prod(shape, keepdims=True))
        different, index = tf.unique(flat)
        found = v1.nn.embedding_lookup(params, different, partition_strategy)
        embeddings = tf.gather(found, index)
        embeddings = tf.reshape(embeddings, tf.concat([shape, tf.shape(found)[1:]], 0))
        embeddings.set_shape(ids.shape.concatenate(found.shape[1:]))
        return embeddings


def scattered_embedding_lookup(
    params: Any, values: Any, dimension: int | None, name: str | None = None, hash_key: int | None = None
) -> Any:
    """Returns [..., dimension]: for each of the `values` that many numbers of `params`, chosen by their hash.

    `params` is a vector, or the parts of one. Raises ValueError without a dimension above 0, or for unequal parts.
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
    """Returns `scattered_embedding_lookup`, [..., dimension], or the components `sampled_candidates` [..., n].

    Raises ValueError where neither is given; fails in the session for candidates of another shape than the values.
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
        found = v1.nn.embedding_lookup(parts, ids, partition_strategy="div")
        return tf.reshape(found, tf.concat([shape, [dimension]], 0))


def _checked_candidates(candidates: Any, shape: Any) -> tuple[Any, Any, list[Any]]:
    """Returns the candidates as [values, n], n, and what checks their shape."""
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
    """Returns [batch, dimension]: the scattered embeddings of each row of `sp_values` added up.

    `sampled_candidates` [batch, n] chooses components of them; `with_sign_hash` multiplies each by 1 or -1, by another
    hash. Raises TypeError unless the values are a SparseTensor, ValueError without dimension and candidates.
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

        found = looked_up(params, "values_lookup")
        if with_sign_hash:
            found = tf.multiply(looked_up(tf.constant([-1.0, 1.0]), "signs_lookup"), found, name="signs_hash")
        rows = tf.cast(rows, tf.int32)
        return v1.unsorted_segment_sum(found, rows, num_segments=v1.shape(sp_values)[0], name=scope)


def scattered_embedding_lookup_sparse(
    params: Any,
    sparse_values: Any,
    dimension: int,
    combiner: str | None = None,
    default_value: Any = None,
    name: str | None = None,
    hash_key: int | None = None,
) -> Any:
    """Returns [batch, dimension]: the scattered embeddings of each row of `sparse_values` combined.

    Raises TypeError unless the values are a SparseTensor, ValueError for an unknown combiner.
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
        found = scattered_embedding_lookup(parts, values, dimension, hash_key=hash_key)
        if combiner not in ("sum", "mean", "sqrtn"):
            raise ValueError(f"the combiner must be 'mean', 'sqrtn' or 'sum', not {combiner!r}")
        kinds = {"sum": "segment_sum", "mean": "segment_mean", "sqrtn": "segment_sqrt_n"}
        return getattr(v1, f"sparse_{kinds[combiner]}")(found, index, rows, name=scope)


def embedding_lookup_sparse_with_distributed_aggregation(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: float | None = None,
) -> Any:
    """Returns what `tf.nn.embedding_lookup_sparse` does. (1.x summed up on the device of each part first.)"""
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
    """How many weights there are. The lookup takes for granted that the first parts are the longer ones."""
    for part in parts:
        part.shape.assert_has_rank(1)
        part.shape.assert_is_fully_defined()
    sizes = [part.shape.as_list()[0] for part in parts]
    for number, size in enumerate(sizes):
        expected = (sum(sizes) - number - 1) // len(parts) + 1
        if size != expected:
            raise ValueError(f"part {number} of the params has the size {size}, not {expected}")
    return int(sum(sizes))
