"""A tensor that has the shape of another one, known now or checked in the session."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def with_same_shape(expected: Any, tensor: Any) -> Any:
    """Returns `tensor`. Raises ValueError where its shape is not that of `expected`; checks in the session else."""
    with v1.name_scope(f"{tensor.op.name}/", values=[expected, tensor]):
        known = expected.get_shape()
        if known.is_fully_defined() and tensor.get_shape().is_fully_defined():
            return _compared(known, tensor)
        shape = (
            np.array(known.as_list(), np.int32)
            if known.is_fully_defined()
            else v1.shape(expected, name="expected_shape")
        )
        if known.is_fully_defined() and known.ndims == 0:
            return v1.reshape(tensor, [])
        with v1.name_scope(f"{tensor.op.name}/", values=[tensor]):
            with tf.control_dependencies([_check(shape, tensor)]):
                result = v1.identity(tensor)
            if known.is_fully_defined():
                result.set_shape(known)
            return result


def _compared(known: Any, tensor: Any) -> Any:
    if tensor.get_shape().is_compatible_with(known):
        return tensor
    if known.ndims == 0 and tensor.get_shape().is_compatible_with([1]):
        return v1.reshape(tensor, [])
    raise ValueError(f"the tensor {tensor.name} has the shape {tensor.get_shape()}, and must have {known}")


def _check(shape: Any, tensor: Any) -> Any:
    """An op that fails unless rank and shape are equal; no comparison of sizes is made for unequal ranks."""
    with v1.name_scope("assert_shape", values=[tensor]) as scope:
        actual = v1.shape(tensor, name="actual")
        same_rank = v1.equal(v1.size(shape), v1.rank(tensor))
        equal = v1.cond(same_rank, lambda: v1.reduce_all(v1.equal(shape, actual)), lambda: tf.constant(False))
        message = f"Wrong shape for {tensor.name} [expected] [actual]."
        return v1.Assert(equal, [message, shape, actual], name=scope)
