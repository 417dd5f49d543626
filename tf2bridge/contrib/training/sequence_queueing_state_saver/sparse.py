"""Sparse sequences and contexts of `batch_sequences_with_states`, which are stored as handles in the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import sparse_ops

v1 = tf.compat.v1

_SPARSE = (tf.SparseTensor, v1.SparseTensorValue)
_FROM_CONTEXT = "_context_in_seq_"


def context_into_sequences(context: dict[str, Any], sequences: dict[str, Any], num_unroll: int) -> None:
    """Moves the sparse tensors of `context` to `sequences`, with a copy for each piece of `num_unroll` steps."""
    length: Any = tf.constant(1)
    if sequences:
        first = next(iter(sequences.values()))
        if isinstance(first, _SPARSE):
            length = first.dense_shape[0]
        else:
            with tf.control_dependencies([first]):
                length = v1.shape(first)[0]
    length = v1.cast(length, dtype=tf.int64)
    for key in sorted(k for k, v in context.items() if isinstance(v, _SPARSE)):
        sequences[_FROM_CONTEXT + key] = _copied(context.pop(key), length, num_unroll)


def _copied(sparse: Any, length: Any, num_unroll: int) -> Any:
    """Returns a tensor [length, ...] with `sparse` at every `num_unroll`th step."""
    count = v1.cast(length // num_unroll, dtype=tf.int32)
    values = v1.tile(sparse.values, v1.expand_dims(count, 0))
    shape = v1.concat([v1.expand_dims(length, 0), sparse.dense_shape], 0)
    inner = v1.tile(v1.expand_dims(sparse.indices, 0), v1.stack([count, 1, 1]))
    entries = v1.shape(sparse.indices)[0]
    rank = v1.shape(sparse.indices)[1]
    steps = v1.expand_dims(v1.expand_dims(v1.range(start=0, limit=length, delta=num_unroll), 1), 2)
    indices = v1.concat([v1.tile(steps, [1, entries, 1]), inner], 2)
    return tf.SparseTensor(v1.reshape(indices, [entries * count, rank + 1]), values, shape)


def context_out(context: dict[str, Any], sequences: dict[str, Any]) -> None:
    """Undoes `context_into_sequences`: moves the tensors back to `context`, as [batch, ...]."""
    for key in sorted(k for k in sequences if k.startswith(_FROM_CONTEXT)):
        sparse = sequences.pop(key)
        one_step = v1.concat([[sparse.dense_shape[0]], [1], sparse.dense_shape[2:]], 0)
        sparse = tf.SparseTensor(sparse.indices, sparse.values, one_step)
        shape = v1.concat([[sparse.dense_shape[0]], sparse.dense_shape[2:]], 0)
        context[key[len(_FROM_CONTEXT) :]] = v1.sparse_reshape(sparse, shape)


def stored(
    input_sequence: dict[str, Any], shared_name: str | None = None
) -> tuple[dict[str, Any], list[str] | None, list[Any]]:
    """Returns the sequences with handles for sparse tensors, the names of the sparse sequences, and the store ops.

    The names are None if no sequence is sparse.
    """
    keys = sorted(k for k, v in input_sequence.items() if isinstance(v, _SPARSE))
    if not keys:
        return input_sequence, None, keys
    handles = {
        key: sparse_ops._add_many_sparse_to_tensors_map(input_sequence[key], shared_name=shared_name) for key in keys
    }
    return {**input_sequence, **handles}, keys, [handle.op for handle in handles.values()]


def restored(
    sequence: dict[str, Any],
    sparse_tensor_keys: Sequence[str] | None,
    tensor_op_list: Sequence[Any],
    batch_size: Any,
    num_unroll: int,
) -> None:
    """Replaces the handles [batch, num_unroll] by the sparse sequences [batch, num_unroll, ...]."""
    if not sparse_tensor_keys:
        return
    tensors = [
        sparse_ops._take_many_sparse_from_tensors_map(
            sparse_map_op=op, sparse_handles=v1.reshape(sequence[key], [-1]), rank=None
        )
        for key, op in zip(sparse_tensor_keys, tensor_op_list, strict=True)
    ]
    unroll = tf.convert_to_tensor(num_unroll, dtype=tf.int64, name="num_unroll_int64")
    for key, sparse in zip(sparse_tensor_keys, tensors, strict=True):
        sequence[key] = _unflattened(sparse, batch_size, unroll)


def _unflattened(sparse: Any, batch_size: Any, num_unroll: Any) -> Any:
    entry = v1.cast(v1.floor(sparse.indices[:, 0] / num_unroll), tf.int64)
    step = v1.mod(sparse.indices[:, 0], num_unroll)
    indices = v1.concat([v1.expand_dims(entry, 1), v1.expand_dims(step, 1), sparse.indices[:, 1:]], axis=1)
    sizes = [[v1.cast(batch_size, dtype=tf.int64)], [v1.cast(num_unroll, dtype=tf.int64)], sparse.dense_shape[1:]]
    return tf.SparseTensor(indices, sparse.values, v1.concat(sizes, axis=0))
