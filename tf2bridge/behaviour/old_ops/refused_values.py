"""Values that 1.x refused and TensorFlow 2 takes, or refuses later for another reason.

All releases from 0.12 to 1.15 say that a variable is not iterable, and that `map_fn` maps no sparse tensor. They
squeeze the last axis of labels or predictions that have one axis too many, whatever its length, and fail there if it is
not 1.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put, rebind


def install() -> None:
    """Makes the functions refuse them, in this process."""
    tf = tensorflow()
    module: Any = internals.ops.confusion_matrix
    mapped, squeezed = tf.compat.v1.map_fn, module.remove_squeezable_dimensions
    rebind({id(mapped): (mapped, _of_dense(mapped)), id(squeezed): (squeezed, _of_one(squeezed))})
    put(tf.Variable, "__iter__", _not_iterable(tf.Variable.__iter__))


def _not_iterable(original: Callable[..., Any]) -> Callable[..., Any]:
    executing_eagerly = tensorflow().executing_eagerly

    @functools.wraps(original)
    def iterate(variable: Any) -> Any:
        if executing_eagerly():
            return original(variable)
        raise TypeError("'Variable' object is not iterable.")

    return iterate


def _of_dense(original: Callable[..., Any]) -> Callable[..., Any]:
    sparse = tensorflow().SparseTensor

    @functools.wraps(original)
    def map_fn(fn: Any, elems: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(elems, sparse):
            raise TypeError(
                "To perform a map on the values of a sparse tensor use either "
                " SparseTensor(input.indices, fn(input.values), input.dense_shape) or "
                " SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
            )
        return original(fn, elems, *args, **kwargs)

    return map_fn


def _of_one(original: Callable[..., Any]) -> Callable[..., Any]:
    tf = tensorflow()

    @functools.wraps(original)
    def remove_squeezable_dimensions(
        labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
    ) -> Any:
        tensors = labels, predictions
        shapes: list[Any] = [getattr(tensor, "shape", None) for tensor in tensors]
        if all(isinstance(shape, tf.TensorShape) and shape.rank for shape in shapes):
            more = shapes[1].rank - shapes[0].rank - expected_rank_diff  # of the predictions
            if abs(more) == 1 and shapes[more == 1][-1] not in (None, 1):
                with tf.name_scope(name or "remove_squeezable_dimensions"):
                    tf.squeeze(tensors[more == 1], [-1])  # fails, and says why
        return original(labels, predictions, expected_rank_diff, name)

    return remove_squeezable_dimensions
