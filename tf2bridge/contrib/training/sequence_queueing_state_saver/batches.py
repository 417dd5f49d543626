"""`batch_sequences_with_states`: pads, cuts and batches long sequences, with a queue runner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.training.ordering import with_dependencies
from tf2bridge.contrib.training.sequence_queueing_state_saver.checks import multiple_of
from tf2bridge.contrib.training.sequence_queueing_state_saver.saver import (
    NextQueuedSequenceBatch,
    SequenceQueueingStateSaver,
)
from tf2bridge.contrib.training.sequence_queueing_state_saver.sparse import (
    context_into_sequences,
    context_out,
    restored,
    stored,
)

v1 = tf.compat.v1

_SPARSE = (tf.SparseTensor, v1.SparseTensorValue)


def batch_sequences_with_states(
    input_key: Any,
    input_sequences: Mapping[str, Any],
    input_context: dict[str, Any],
    input_length: Any,
    initial_states: Mapping[str, Any],
    num_unroll: int,
    batch_size: Any,
    num_threads: int = 3,
    capacity: int = 1000,
    allow_small_batch: bool = True,
    pad: bool = True,
    make_keys_unique: bool = False,
    make_keys_unique_seed: int | None = None,
    name: str | None = None,
) -> NextQueuedSequenceBatch:
    """Returns batches of pieces of `num_unroll` steps of the sequences (see `SequenceQueueingStateSaver`).

    `pad` pads the sequences to a multiple of `num_unroll`; then `input_length` may be None. Sequences and contexts may
    be sparse. A queue runner is added to the collection.
    """
    values = [*input_sequences.values(), *input_context.values(), *initial_states.values()]
    with v1.name_scope(name, "batch_sequences_with_states", values) as name:
        if pad:
            length, input_sequences = _padding(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        elif input_sequences:
            input_sequences = {k: _checked(k, v, num_unroll) for k, v in input_sequences.items()}
        sequences = dict(input_sequences)
        context_into_sequences(input_context, sequences, num_unroll)
        sequences, sparse, storing = stored(sequences)
        if make_keys_unique:
            number = v1.random_uniform((), minval=0, maxval=100000000, dtype=tf.int32, seed=make_keys_unique_seed)
            input_key = v1.string_join([input_key, v1.as_string(number)])
        saver = SequenceQueueingStateSaver(
            batch_size,
            num_unroll,
            input_length=input_length,
            input_key=input_key,
            input_sequences=sequences,
            input_context=input_context,
            initial_states=initial_states,
            capacity=capacity,
            allow_small_batch=allow_small_batch,
        )
        ready = v1.cast(saver.barrier.ready_size(), tf.float32)
        v1.summary.scalar(f"queue/{saver.barrier.name}/ready_segment_batches_", ready)
        runner = v1.train.QueueRunner(
            saver,
            [saver.prefetch_op] * num_threads,
            queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.CancelledError),
        )
        v1.train.add_queue_runner(runner)
        batch = saver.next_batch
        restored(batch.sequences, sparse, storing, batch_size, num_unroll)
        context_out(batch.context, batch.sequences)
        return batch


def _checked(key: str, value: Any, num_unroll: int) -> Any:
    """Returns `value` after a check that its first dimension is a multiple of `num_unroll`."""
    if isinstance(value, _SPARSE):
        with tf.control_dependencies([multiple_of(value.dense_shape[0], num_unroll, f"SparseTensor {key}")]):
            parts = [
                v1.identity(p, name="multiple_of_checked") for p in (value.indices, value.values, value.dense_shape)
            ]
            return tf.SparseTensor(*parts)
    value = tf.convert_to_tensor(value)
    with tf.control_dependencies([multiple_of(v1.shape(value)[0], num_unroll, f"Tensor {key}")]):
        return v1.identity(value, name="multiple_of_checked")


def _padding(sequences: Mapping[str, Any], num_unroll: int) -> tuple[Any, dict[str, Any]]:
    """Returns (length of the sequences, sequences padded with zeros or "" to a multiple of `num_unroll`)."""
    if isinstance(num_unroll, bool) or not isinstance(num_unroll, int):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    if not isinstance(sequences, dict):
        raise TypeError(f"Unsupported sequences expected dict, got: {sequences}")
    for key in sequences:
        if not isinstance(key, str):
            raise TypeError(f"Unsupported sequences key expected string, got: {key}")
    if not sequences:
        return 0, {}
    given = {k: v if isinstance(v, _SPARSE) else tf.convert_to_tensor(v) for k, v in sorted(sequences.items())}
    length = _common_length(given)
    unroll = tf.constant(num_unroll)
    padded = length + (unroll - length % unroll) % unroll
    return length, {k: _padded(v, padded) for k, v in given.items()}


def _common_length(sequences: Mapping[str, Any]) -> Any:
    lengths = [
        v1.shape(tensor)[0] for tensor in sequences.values() if tf.is_tensor(tensor) and not isinstance(tensor, _SPARSE)
    ]
    if not lengths:
        sparse = [tensor.dense_shape[0] for tensor in sequences.values()]
        return v1.reduce_max(v1.cast(sparse, tf.int32))
    message = "All sequence lengths must match, but received lengths: "
    checks = [
        v1.Assert(v1.equal(length, lengths[0]), [v1.string_join([message, v1.as_string(lengths)])])
        for length in lengths
    ]
    return with_dependencies(checks, lengths[0])


def _padded(value: Any, length: Any) -> Any:
    if isinstance(value, _SPARSE):
        shape = v1.concat([[v1.cast(length, tf.int64)], value.dense_shape[1:]], 0)
        return tf.SparseTensor(value.indices, value.values, shape)
    missing = [length - v1.shape(value)[0]]
    shape = v1.concat((missing, v1.shape(value)[1:]), 0)
    filler = tf.constant("" if value.dtype == tf.string else 0, dtype=value.dtype)
    return v1.concat([value, v1.fill(shape, filler)], 0)
