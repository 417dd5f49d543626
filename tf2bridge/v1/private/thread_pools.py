"""Thread pools of data sets: `tensorflow.python.data.experimental.ops.threadpool`, which TensorFlow 2 dropped.

TensorFlow 2 still has the ops. Source: tensorflow/python/data/experimental/ops/threadpool.py of 1.15.5.
"""

from __future__ import annotations

import itertools
from typing import Any

import tensorflow as tf

from tf2bridge.internals.data import dataset_ops
from tf2bridge.internals.ops import gen_experimental_dataset_ops

_numbers = itertools.count()


class PrivateThreadPool:
    """A pool of threads that a data set uses instead of the session's."""

    def __init__(self, num_threads: int, display_name: str | None = None, max_intra_op_parallelism: int = 1) -> None:
        shared_name = f"privatethreadpool{next(_numbers)}" if tf.executing_eagerly() else ""
        self._resource = gen_experimental_dataset_ops.thread_pool_handle(
            num_threads=num_threads,
            max_intra_op_parallelism=max_intra_op_parallelism,
            display_name=display_name,
            shared_name=shared_name,
        )


class _ThreadPoolDataset(dataset_ops.UnaryUnchangedStructureDataset):  # type: ignore[misc]  # TensorFlow has no types
    """The elements of another data set, computed in the threads of a pool."""

    def __init__(self, input_dataset: Any, thread_pool: PrivateThreadPool) -> None:
        self._thread_pool = thread_pool
        variant = gen_experimental_dataset_ops.thread_pool_dataset(
            input_dataset._variant_tensor,
            thread_pool._resource,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, variant)


def override_threadpool(dataset: Any, thread_pool: PrivateThreadPool) -> Any:
    """Returns a data set of the same elements, whose parallel operations use `thread_pool`."""
    return dataset_ops.DatasetV1Adapter(_ThreadPoolDataset(dataset, thread_pool))
