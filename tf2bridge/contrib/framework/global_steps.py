"""The global step of a graph, checked or found."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """Returns `global_step_tensor`, checked to be a scalar integer; without it the step of `graph`, or None."""
    if global_step_tensor is None:
        return v1.train.get_global_step(graph)
    v1.train.assert_global_step(global_step_tensor)
    return global_step_tensor
