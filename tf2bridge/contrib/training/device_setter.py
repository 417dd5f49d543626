"""Strategies of `replica_device_setter`, which choose the parameter server of a variable."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf


class RandomStrategy:
    """Chooses a task by an MD5 hash of the op's name and `seed`, so that every process makes the same choice."""

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        """Returns the task of `op`."""
        digest = hashlib.md5(f"{op.name}_{self._seed}".encode(), usedforsecurity=False).hexdigest()
        return int(digest, 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """Chooses the task with the smallest load so far. `load_fn(op)` returns a load, such as `byte_size_load_fn`."""

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._num_tasks = num_tasks
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> Any:
        """Returns the task of `op`, and adds its load."""
        task = np.argmin(self._ps_loads)
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """Returns the size of the output of `op` in bytes. Raises ValueError for several outputs, or an unknown shape."""
    if len(op.outputs) != 1:
        raise ValueError(f"the op {op.name} must have one output, not {len(op.outputs)}")
    (output,) = op.outputs
    shape = output.get_shape()
    if not shape.is_fully_defined():  # an unvalidated variable keeps its shape in the attribute
        shape = tf.TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return int(shape.num_elements() * output.dtype.size)
