"""Shared code of the optimizers of contrib.opt: hyperparameters cast to the type of a variable, and updates of rows."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def cast_all(target: Any, *values: Any) -> list[Any]:
    """Returns each of `values` as a tensor of the (base) type of `target`."""
    return [tf.cast(value, target.dtype.base_dtype) for value in values]


def resource_row_update(variable: Any, indices: Any, values: Any) -> Any:
    """Returns the op that sets rows `indices` of a resource variable."""
    return tf.raw_ops.ResourceScatterUpdate(resource=variable.handle, indices=indices, updates=values)


def resource_row_add(variable: Any, indices: Any, values: Any) -> Any:
    """Returns the op that adds to rows `indices` of a resource variable."""
    return tf.raw_ops.ResourceScatterAdd(resource=variable.handle, indices=indices, updates=values)


def called(value: Any) -> Any:
    """Returns a hyperparameter: the value itself, or the result of calling it if it is a function."""
    return value() if callable(value) else value
