"""Reads the result of an input_fn, and makes the hook that starts its iterator."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


_Hook: Any = v1.train.SessionRunHook


class DatasetInitializerHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types
    """Initializes an iterator whenever a session is made."""

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        """Takes the op while the graph may still change."""
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs the initializer."""
        del coord
        session.run(self._initializer)


def parsed(result: Any) -> tuple[Any, Any, list[Any]]:
    """Returns (features, labels or None, hooks) of what an input_fn returned: a dataset, a pair, or features alone.

    Raises ValueError for a list or tuple of another length.
    """
    hooks = []
    if isinstance(result, tf.data.Dataset):
        iterator = v1.data.make_initializable_iterator(result)
        hooks.append(DatasetInitializerHook(iterator))
        result = iterator.get_next()
    if not isinstance(result, (list, tuple)):
        return result, None, hooks
    if len(result) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return result[0], result[1], hooks


def ends(features: Any) -> bool:
    """Returns whether features come from a dataset or a queue; others never end."""
    tensors = [tensor for tensor in tf.nest.flatten(features) if isinstance(tensor, tf.Tensor)]
    if any(tensor.op.type == "IteratorGetNext" for tensor in tensors):
        return True
    return bool(v1.get_collection(v1.GraphKeys.QUEUE_RUNNERS))
