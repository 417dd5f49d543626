"""Queues that batch examples of the same bucket together."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.internals.training import input as queue_inputs

v1 = tf.compat.v1

_CLOSED = (tf.errors.OutOfRangeError, tf.errors.CancelledError)


def bucket(
    tensors: Any,
    which_bucket: Any,
    batch_size: Any,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (bucket, batched `tensors`). Each example waits in the queue of `which_bucket`, an int32 scalar.

    `batch_size` is one number, or a list with a number for each bucket. Queue runners are added to the collection.

    Raises:
        ValueError: the length of a list is not `num_buckets`, or there are no tensors.
    """
    sizes, one_size = _batch_sizes(batch_size, num_buckets)
    capacities = [capacity] * num_buckets if bucket_capacities is None else bucket_capacities
    if len(capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({capacities}) must have exactly num_buckets ({num_buckets}) elements."
        )
    inputs = queue_inputs._as_tensor_list(tensors)
    with v1.name_scope(name, "bucket", inputs) as name:
        parts = _converted(inputs)
        keep = queue_inputs._validate_keep_input(keep_input, enqueue_many=False)
        parts, sparse = queue_inputs._store_sparse_tensors(parts, enqueue_many=False, keep_input=keep)
        static = None
        for place, size in enumerate(sizes):
            size_tensor = tf.convert_to_tensor(size, dtype=tf.int32, name="batch_size")
            static = tf.get_static_value(size_tensor)
            sizes[place] = size_tensor if static is None else static
        types = queue_inputs._dtypes([parts])
        part_shapes = queue_inputs._shapes([parts], shapes, enqueue_many=False)
        which = tf.convert_to_tensor(which_bucket, dtype=tf.int32, name="which_bucket")
        make = queue_inputs._which_queue(dynamic_pad)
        queues = [
            make(
                capacity=capacities[i],
                dtypes=types,
                shapes=part_shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
                name=f"bucket_queue_{i}",
            )
            for i in range(num_buckets)
        ]
        rows = static if one_size and not allow_smaller_final_batch else None
        top = v1.PaddingFIFOQueue(
            capacity=capacity,
            dtypes=[tf.int32, *types],
            shapes=[tf.TensorShape([]), *(tf.TensorShape([rows]).concatenate(shape) for shape in queues[0].shapes)],
            shared_name=shared_name,
            name="top_queue",
        )
        _add_runners(queues, top, sizes, _enqueue(queues, which, parts, keep, num_threads), allow_smaller_final_batch)
        _summarise(queues, top, capacity)
        bucket_number, *dequeued = top.dequeue(name="dequeue_top")
        batch = queue_inputs._restore_sparse_tensors(dequeued[0] if len(dequeued) == 1 else dequeued, sparse)
        return bucket_number, queue_inputs._as_original_type(tensors, batch)


def _batch_sizes(batch_size: Any, buckets: int) -> tuple[list[Any], bool]:
    """Returns the batch size of each bucket, and True if all buckets have the same."""
    if not isinstance(batch_size, (list, tuple)):
        return [batch_size] * buckets, True
    if len(batch_size) != buckets:
        raise ValueError(
            f"If batch_size is a list it must have num_buckets elements: {len(batch_size)} are not {buckets}"
        )
    return list(batch_size), False


def _converted(tensors: Sequence[Any]) -> list[Any]:
    if not tensors:
        raise ValueError("Expected at least one tensor in bucket().")
    return [v1.convert_to_tensor_or_indexed_slices(tensor) for tensor in tensors]


def _enqueue(queues: Sequence[Any], which: Any, parts: Any, keep: Any, threads: int) -> list[Any]:
    """Returns the op that puts an example into its queue, repeated for each thread."""

    def enqueue_which() -> Any:
        ops = [
            v1.cond(v1.equal(which, i), functools.partial(queue.enqueue, parts), v1.no_op)
            for i, queue in enumerate(queues)
        ]
        return v1.group(*ops, name="group_enqueues")

    known = keep if isinstance(keep, bool) else tf.get_static_value(keep)
    if known is None:
        return [v1.cond(keep, enqueue_which, v1.no_op)] * threads
    return [enqueue_which() if known else v1.no_op()] * threads


def _add_runners(queues: Sequence[Any], top: Any, sizes: Sequence[Any], fill: list[Any], smaller: bool) -> None:
    to_top = []
    for i, (queue, size) in enumerate(zip(queues, sizes, strict=True)):
        dequeue = queue.dequeue_up_to if smaller else queue.dequeue_many
        number = tf.constant(i)
        batch = dequeue(size, name=f"read_bucket_{i}")
        batch = list(batch) if isinstance(batch, (list, tuple)) else [batch]
        to_top.append(top.enqueue([number, *batch], name=f"enqueue_from_bucket_{i}"))
    v1.train.add_queue_runner(
        v1.train.QueueRunner(
            queues[0],
            to_top,
            close_op=top.close(),
            cancel_op=top.close(cancel_pending_enqueues=True),
            queue_closed_exception_types=_CLOSED,
        )
    )
    v1.train.add_queue_runner(
        v1.train.QueueRunner(
            top,
            fill,
            close_op=v1.group(*[queue.close() for queue in queues]),
            cancel_op=v1.group(*[queue.close(cancel_pending_enqueues=True) for queue in queues]),
            queue_closed_exception_types=_CLOSED,
        )
    )


def _summarise(queues: Sequence[Any], top: Any, capacity: int) -> None:
    for queue in queues:
        v1.summary.scalar(f"bucket/{queue.name}/size", v1.cast(top.size(), tf.float32))
    full = v1.cast(top.size(), tf.float32) * (1.0 / capacity)
    v1.summary.scalar(f"bucket/{top.name}/fraction_of_{capacity}_full", full)


def bucket_by_sequence_length(
    input_length: Any,
    tensors: Any,
    batch_size: Any,
    bucket_boundaries: Sequence[int],
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (lengths [batch], batched `tensors`) of examples whose `input_length` lies between the same boundaries.

    Raises:
        TypeError: the boundaries are not a list of integers.
        ValueError: there are no boundaries, or they do not increase.
    """
    given = queue_inputs._as_tensor_list(tensors)
    _check_boundaries(bucket_boundaries)
    with v1.name_scope(name, "bucket_by_sequence_length", [input_length, *given]) as name:
        length = tf.convert_to_tensor(input_length, dtype=tf.int32, name="input_length")
        lowest = [np.iinfo(np.int32).min, *bucket_boundaries]
        highest = [*bucket_boundaries, np.iinfo(np.int32).max]
        within = v1.logical_and(v1.less_equal(lowest, length), v1.less(length, highest))
        which = v1.cast(v1.reduce_min(tf.where(within)), tf.int32)
        _, (lengths, *batch) = bucket(
            tensors=[length, *given],
            which_bucket=which,
            batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1,
            num_threads=num_threads,
            capacity=capacity,
            bucket_capacities=bucket_capacities,
            shapes=None if shapes is None else [tf.TensorShape([]), *shapes],
            dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch,
            keep_input=keep_input,
            shared_name=shared_name,
        )
        return lengths, queue_inputs._as_original_type(tensors, batch)


def _check_boundaries(boundaries: Any) -> None:
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError(f"bucket_boundaries must be a list or tuple, not {boundaries!r}")
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for lower, upper in itertools.pairwise(boundaries):
        if not isinstance(lower, int) or not isinstance(upper, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {lower} and {upper}")
        if lower >= upper:
            raise ValueError(f"Buckets must contain sequential increasing lengths, but saw: {lower} before {upper}")
