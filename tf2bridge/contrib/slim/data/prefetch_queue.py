"""`prefetch_queue`: batches made ahead of their use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def prefetch_queue(
    tensors: Sequence[Any] | Mapping[str, Any],
    capacity: int = 8,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Returns a queue that `num_threads` threads keep filled with `tensors`, a list or dict of them.

    `dynamic_pad` allows tensors with unknown dimensions. Adds the queue runner and a summary of how full it is.
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    listed = (
        [tensors[tensor_name] for tensor_name in names]
        if isinstance(tensors, dict) and names is not None
        else list(tensors)
    )
    with v1.name_scope(name, "prefetch_queue", listed):
        queue = (v1.PaddingFIFOQueue if dynamic_pad else v1.FIFOQueue)(
            capacity=capacity,
            dtypes=[tensor.dtype for tensor in listed],
            shapes=[tensor.get_shape() for tensor in listed],
            names=names,
            shared_name=shared_name,
        )
        v1.train.add_queue_runner(v1.train.QueueRunner(queue, [queue.enqueue(tensors)] * num_threads))
        v1.summary.scalar(f"fraction_of_{capacity}_full", v1.cast(queue.size(), tf.float32) * (1.0 / capacity))
        return queue
