"""`queue_parsed_features`: dense and sparse tensors through one queue."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def queue_parsed_features(
    parsed_features: dict[str, Any],
    keys: Any = None,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    name: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Passes features through a new queue. Returns the dequeued keys, or None, and a dictionary of the features.

    A summary shows how full the queue is. A queue runner with `num_enqueue_threads` threads fills the queue.
    """
    given = list(parsed_features.values()) + ([] if keys is None else [keys])
    with v1.name_scope(name, "queue_parsed_features", given):
        names = sorted(parsed_features)
        parts = [part for feature in names for part in _parts(parsed_features[feature])]
        parts += [] if keys is None else [keys]
        values = iter(_through_queue(parts, feature_queue_capacity, num_enqueue_threads))
        features = {feature: _taken(parsed_features[feature], values) for feature in names}
        return next(values, None), features


def _parts(tensor: Any) -> list[Any]:
    sparse = isinstance(tensor, tf.SparseTensor)
    return [tensor.indices, tensor.values, tensor.dense_shape] if sparse else [tensor]


def _taken(tensor: Any, values: Any) -> Any:
    if isinstance(tensor, tf.SparseTensor):
        return tf.SparseTensor(next(values), next(values), next(values))
    return next(values)


def _through_queue(tensors: list[Any], capacity: int, threads: int) -> list[Any]:
    queue = tf.queue.FIFOQueue(capacity, [tensor.dtype for tensor in tensors])
    full = tf.cast(queue.size(), tf.float32) * (1.0 / capacity)
    v1.summary.scalar(f"queue/parsed_features/{queue.name}/fraction_of_{capacity}_full", full)
    enqueue = [queue.enqueue(tensors) for _ in range(threads)]
    ends = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
    v1.train.add_queue_runner(v1.train.QueueRunner(queue, enqueue, queue_closed_exception_types=ends))
    values = queue.dequeue()
    values = values if isinstance(values, list) else [values]
    for value, tensor in zip(values, tensors, strict=True):
        value.set_shape(tensor.shape)
    return values
