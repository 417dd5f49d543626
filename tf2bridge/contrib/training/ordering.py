"""A tensor that waits for operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def with_dependencies(dependencies: Sequence[Any], tensor: Any) -> Any:
    """Returns a tensor equal to `tensor`, which is computed after the operations `dependencies`."""
    with (
        v1.name_scope(None, "control_dependency", [*dependencies, tensor]) as name,
        v1.colocate_with(tensor),
        tf.control_dependencies(dependencies),
    ):
        return v1.identity(tensor, name=name)
