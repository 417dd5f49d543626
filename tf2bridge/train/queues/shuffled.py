"""The elements of a RandomShuffleQueue that is full whenever a step takes from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

raw = tf.raw_ops


def shuffled(elements: tf.data.Dataset, node: Any, shapes: Sequence[tf.TensorShape], taken: int) -> tf.data.Dataset:
    """Returns the elements in the order in which they leave a shuffling queue.

    A component without a full static shape is in the queue as the text of `tf.io.serialize_tensor`. The order does not
    depend on the content of the elements.

    Args:
        elements: Tuples of components.
        node: The queue's node.
        shapes: The shapes of the components, from the queue's node.
        taken: How many elements a step takes at a time.
    """
    known = [shape.merge_with(spec.shape) for shape, spec in zip(shapes, elements.element_spec, strict=True)]
    if all(shape.is_fully_defined() for shape in known):
        return _taken(elements, node, known, taken)
    types = [tf.as_dtype(kind) for kind in node.attr["component_types"].list.type]

    def parsed(*texts: tf.Tensor) -> tuple[tf.Tensor, ...]:
        tensors = map(tf.io.parse_tensor, texts, types)
        return tuple(tf.ensure_shape(tensor, shape) for tensor, shape in zip(tensors, known, strict=True))

    texts = elements.map(lambda *components: tuple(map(tf.io.serialize_tensor, components)))
    return _taken(texts, node, [tf.TensorShape([])] * len(known), taken).map(parsed)


def _taken(elements: tf.data.Dataset, node: Any, shapes: Sequence[tf.TensorShape], taken: int) -> tf.data.Dataset:
    """Returns the elements, of these shapes, as they leave TensorFlow's own queue of the node's size and seeds.

    A step takes elements when the queue is full, or closed. If a step takes more than the queue can give above
    `min_after_dequeue`, it takes the rest as soon as elements arrive.
    """
    types = [spec.dtype for spec in elements.element_spec]
    numbers = {name: node.attr[name].i for name in ("capacity", "min_after_dequeue", "seed", "seed2")}
    capacity, least = numbers["capacity"], numbers["min_after_dequeue"]
    together = taken if taken <= capacity - least else 1
    empty = tuple(tf.zeros([0, *shape], kind) for shape, kind in zip(shapes, types, strict=True))

    def step(owed: tf.Tensor, given: tuple[tf.Tensor, tuple[tf.Tensor, ...]]) -> tuple[tf.Tensor, Any]:
        is_end, rows = given
        queue = raw.RandomShuffleQueueV2(component_types=types, shapes=shapes, **numbers)

        def put() -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            room = capacity - raw.QueueSizeV2(handle=queue)
            raw.QueueEnqueueManyV2(handle=queue, components=[component[:room] for component in rows])
            size = raw.QueueSizeV2(handle=queue)
            due = tf.where((owed == 0) & (size >= capacity), taken, owed)
            now = tf.minimum(due, tf.maximum(size - least, 0))
            return due - now, now, room

        def close() -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            raw.QueueCloseV2(handle=queue)
            return tf.constant(0), raw.QueueSizeV2(handle=queue), tf.constant(0)

        left, now, room = tf.cond(is_end, close, put)
        elements_out = tuple(raw.QueueDequeueManyV2(handle=queue, n=now, component_types=types))
        rest = [component[room:] for component in rows]
        tf.cond(is_end, tf.no_op, lambda: raw.QueueEnqueueManyV2(handle=queue, components=rest))
        return left, elements_out

    end = tf.data.Dataset.from_tensors((True, empty))
    marked = elements.batch(together).map(lambda *rows: (False, rows)).concatenate(end)
    return marked.scan(tf.constant(0), step).unbatch()
