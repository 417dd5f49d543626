"""The elements of a RandomShuffleQueue that is full whenever a step takes from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

raw = tf.raw_ops


def shuffled(elements: tf.data.Dataset, node: Any, shapes: Sequence[tf.TensorShape], taken: int) -> tf.data.Dataset:
    """Returns the elements, tuples of components, in the order of a queue from which steps take `taken` at a time.

    The queue is TensorFlow's own, of the node's size and seeds: a step takes when it is full, or closed. What it lacks
    then, where a step takes more than what leaves `min_after_dequeue` there, it takes as soon as it comes.
    """
    types = [tf.as_dtype(each) for each in node.attr["component_types"].list.type]
    numbers = {name: node.attr[name].i for name in ("capacity", "min_after_dequeue", "seed", "seed2")}
    empty = tuple(tf.zeros(shape, kind) for shape, kind in zip(shapes, types, strict=True))

    def step(owed: tf.Tensor, given: tuple[tf.Tensor, tuple[tf.Tensor, ...]]) -> tuple[tf.Tensor, Any]:
        is_end, components = given
        queue = raw.RandomShuffleQueueV2(component_types=types, shapes=shapes, **numbers)

        def put() -> tuple[tf.Tensor, tf.Tensor]:
            raw.QueueEnqueueV2(handle=queue, components=components)
            size = raw.QueueSizeV2(handle=queue)
            due = tf.where((owed == 0) & (size >= numbers["capacity"]), taken, owed)
            now = tf.minimum(due, tf.maximum(size - numbers["min_after_dequeue"], 0))
            return due - now, now

        def close() -> tuple[tf.Tensor, tf.Tensor]:
            raw.QueueCloseV2(handle=queue)
            return tf.constant(0), raw.QueueSizeV2(handle=queue)

        left, now = tf.cond(is_end, close, put)
        return left, tuple(raw.QueueDequeueManyV2(handle=queue, n=now, component_types=types))

    end = tf.data.Dataset.from_tensors((True, empty))
    marked = elements.map(lambda *components: (False, components)).concatenate(end)
    return marked.scan(tf.constant(0), step).unbatch()
