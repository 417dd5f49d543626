"""Values that 1.x refused and TensorFlow 2 takes, or refuses later for another reason.

All releases from 0.12 to 1.15 say that a variable is not iterable, and that `map_fn` maps no sparse tensor. They
squeeze the last axis of labels or predictions that have one axis too many, whatever its length, and fail there if it is
not 1. A value of `tf.one_hot` has the type that is asked for, and is not converted to it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import all_twins, put, rebind


def install() -> None:
    """Makes the functions refuse them, in this process."""
    tf = tensorflow()
    confusions: Any = internals.ops.confusion_matrix
    arrays: Any = internals.ops.array_ops
    mapped, squeezed = tf.compat.v1.map_fn, confusions.remove_squeezable_dimensions
    (encoders,) = all_twins([(arrays, "one_hot")])
    rebind(
        {
            id(mapped): (mapped, _of_dense(mapped)),
            id(squeezed): (squeezed, _of_one(squeezed)),
            **{id(encoder): (encoder, _of_one_type(encoder)) for encoder in encoders},
        }
    )
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
    tf = tensorflow()
    sparse = tf.SparseTensor

    @functools.wraps(original)
    def map_fn(fn: Any, elems: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(elems, sparse):
            raise TypeError(
                "To perform a map on the values of a sparse tensor use either "
                " SparseTensor(input.indices, fn(input.values), input.dense_shape) or "
                " SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
            )
        several = tf.nest.flatten(elems) if isinstance(elems, list | tuple | dict) else []
        if callable(fn) and len(several) > 1 and not isinstance(several[0], str | bytes):
            shape = _shape(tf, several[0])
            if isinstance(shape, tf.TensorShape) and shape.rank == 0:
                raise ValueError("elements in elems must be 1+ dimensional Tensors, not scalars")
        return original(fn, elems, *args, **kwargs)

    return map_fn


def _of_one(original: Callable[..., Any]) -> Callable[..., Any]:
    tf = tensorflow()

    @functools.wraps(original)
    def remove_squeezable_dimensions(
        labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
    ) -> Any:
        tensors = labels, predictions
        shapes = [_shape(tf, tensor) for tensor in tensors]
        if all(isinstance(shape, tf.TensorShape) and shape.rank for shape in shapes):
            more = shapes[1].rank - shapes[0].rank - expected_rank_diff  # of the predictions
            if abs(more) == 1 and shapes[more == 1][-1] not in (None, 1):
                with tf.name_scope(name or "remove_squeezable_dimensions"):
                    tf.squeeze(tensors[more == 1], [-1])  # fails, and says why
        return original(labels, predictions, expected_rank_diff, name)

    return remove_squeezable_dimensions


def _shape(tf: Any, value: Any) -> Any:
    """Returns the shape of a tensor, or of what becomes one; None if it has none."""
    if isinstance(value, np.ndarray | list | tuple | int | float):
        return tf.TensorShape(np.shape(value))
    return getattr(value, "shape", None)


def _of_one_type(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def one_hot(
        indices: Any,
        depth: Any,
        on_value: Any = None,
        off_value: Any = None,
        axis: Any = None,
        dtype: Any = None,
        name: str | None = None,
    ) -> Any:
        if dtype is not None:
            for value, place in ((on_value, "on_value"), (off_value, "off_value")):
                given = _type(value)
                if given is not None and given != dtype:
                    raise TypeError(f"dtype {given} of {place} does not match dtype parameter {dtype}")
        return original(indices, depth, on_value, off_value, axis, dtype, name)

    return one_hot


def _type(value: Any) -> Any:
    """Returns the type of the tensor that 1.x makes of a number or an array; None for others."""
    dtypes: Any = internals.framework.dtypes
    if isinstance(value, np.ndarray | np.generic):
        return dtypes.as_dtype(value.dtype)
    if isinstance(value, bool):
        return dtypes.bool
    return {int: dtypes.int32, float: dtypes.float32}.get(type(value))
