"""`tensor_pool`: earlier values, one of which is given at random."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def tensor_pool(
    input_values: Any, pool_size: int = 50, pooling_probability: Any = 0.5, name: str = "tensor_pool"
) -> Any:
    """Returns `input_values`, a nest of tensors, or with `pooling_probability` earlier ones, drawn from a pool.

    Until the pool is full, the inputs are returned unchanged.

    Raises:
        ValueError: `pool_size` is negative.
    """
    pool_size = int(pool_size)
    if pool_size < 0:
        raise ValueError(f"pool_size is {pool_size}; it must not be negative")
    if pool_size == 0:
        return input_values
    values = tf.nest.flatten(input_values)
    with v1.name_scope(f"{name}_pool_queue", values=[*values, pooling_probability]):
        queue = tf.queue.RandomShuffleQueue(pool_size, 0, [value.dtype for value in values], shapes=None)

        def stored() -> list[Any]:
            with tf.control_dependencies([queue.enqueue(values)]):
                return [tf.identity(value) for value in values]

        def exchanged() -> Any:
            drawn = _as_list(queue.dequeue())
            with tf.control_dependencies(drawn), tf.control_dependencies([queue.enqueue(values)]):
                use_drawn = v1.random_uniform((), dtype=tf.float32) < pooling_probability
                return v1.cond(use_drawn, lambda: drawn, lambda: values)

        outputs = _as_list(v1.cond(queue.size() < pool_size, stored, exchanged))
        for value, output in zip(values, outputs, strict=True):
            output.set_shape(value.shape)
    return tf.nest.pack_sequence_as(input_values, outputs)


def _as_list(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, tf.Tensor) else list(tensors)
