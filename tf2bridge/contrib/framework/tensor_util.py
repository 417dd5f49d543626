"""Checks and sums of tensors by shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
_SCALAR = np.zeros(0, np.int32)  # from a list [], TensorFlow 2 makes two constants


def reduce_sum_n(tensors: Sequence[Any], name: str | None = None) -> Any:
    """Returns the sum of all elements of all tensors, a scalar. Raises ValueError if there are no tensors."""
    if not tensors:
        raise ValueError("No tensors provided: reduce_sum_n needs one at least")
    with v1.name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [v1.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else v1.add_n(sums, name=scope)


def remove_squeezable_dimensions(predictions: Any, labels: Any, name: str | None = None) -> tuple[Any, Any]:
    """Returns both tensors. If a rank is greater by 1, the last dimension of this tensor, of size 1, is squeezed."""
    with v1.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
        ranks = predictions.shape.rank, labels.shape.rank
        if None not in ranks:
            surplus = ranks[0] - ranks[1]
            if surplus == -1:
                labels = v1.squeeze(labels, [-1])
            elif surplus == 1:
                predictions = v1.squeeze(predictions, [-1])
            return predictions, labels
        difference = v1.rank(predictions) - v1.rank(labels)
        return _squeezed_if(predictions, 1, difference), _squeezed_if(labels, -1, difference)


def assert_scalar_int(tensor: Any, name: str | None = None) -> Any:
    """Returns `tensor`. Raises ValueError unless it is an integer of shape []."""
    with v1.name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = tf.convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(f"Expected integer type for {tensor.name}, received type: {tensor.dtype}.")
        return v1.assert_scalar(tensor, name=scope)


def with_same_shape(expected_tensor: Any, tensor: Any) -> Any:
    """Returns `tensor` after a check that its shape is that of `expected_tensor` (see `with_shape`)."""
    with v1.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        shape = expected_tensor.get_shape()
        known = shape.is_fully_defined()
        expected = shape.as_list() if known else v1.shape(expected_tensor, name="expected_shape")
        return with_shape(expected, tensor)


def with_shape(expected_shape: Any, tensor: Any) -> Any:
    """Returns `tensor` after a check that it has `expected_shape`: a list, an int32 array or a tensor.

    -1 fits any size. Static shapes are checked at once, other shapes when the tensor is evaluated. A tensor of one
    element is reshaped to [] if this is the expected shape.

    Raises:
        ValueError: the shape differs, `expected_shape` is not an int32 vector, or `tensor` is a SparseTensor.
    """
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError("SparseTensor not supported: with_shape checks dense tensors")
    expected = _vector(expected_shape, tensor)
    dynamic = tf.is_tensor(expected)
    if dynamic or not tensor.get_shape().is_fully_defined():
        with v1.name_scope(f"{tensor.op.name}/", values=[tensor]):
            return _checked_when_run(expected, tensor, dynamic)
    if tensor.get_shape().is_compatible_with(expected):
        return tensor
    if len(expected) < 1 and tensor.get_shape().is_compatible_with([1]):
        with v1.name_scope(f"{tensor.op.name}/", values=[tensor]):
            return v1.reshape(tensor, _SCALAR)
    raise ValueError(f"Invalid shape for tensor {tensor.name}, expected {expected}, got {tensor.get_shape()}.")


def _squeezed_if(tensor: Any, wanted: int, difference: Any) -> Any:
    """Returns `tensor`, squeezed in its last dimension if the ranks differ by `wanted`. This is decided at run time."""
    if tensor.shape.rank is not None and not tensor.shape.dims[-1].is_compatible_with(1):
        return tensor
    return v1.cond(v1.equal(wanted, difference), lambda: v1.squeeze(tensor, [-1]), lambda: tensor)


def _vector(expected: Any, tensor: Any) -> Any:
    """Returns the expected shape as an int32 tensor or array, [rank]."""
    if isinstance(expected, list | tuple):
        values = np.asarray(expected) if expected else np.zeros(0, np.int32)
        expected = values.astype(np.int32) if values.dtype == np.int64 else values
    is_array = isinstance(expected, np.ndarray)
    if is_array and expected.ndim > 1:
        raise ValueError(f"Invalid rank {expected.ndim} for shape {expected} expected of tensor {tensor.name}.")
    if (is_array or tf.is_tensor(expected)) and tf.as_dtype(expected.dtype).base_dtype != tf.int32:
        raise ValueError(f"Invalid dtype {expected.dtype} for shape {expected} expected of tensor {tensor.name}.")
    return expected


def _checked_when_run(expected: Any, tensor: Any, dynamic: bool) -> Any:
    if not dynamic and len(expected) < 1:
        return v1.reshape(tensor, _SCALAR)
    with v1.control_dependencies([_assert_shape(expected, tensor)]):
        result = v1.identity(tensor)
    if not dynamic:
        result.set_shape([None if size == -1 else size for size in _sizes(expected)])
    return result


def _sizes(expected: Any) -> list[int]:
    return [-1 if size is None else int(size) for size in tf.TensorShape(expected).as_list()]


def _assert_shape(expected: Any, tensor: Any) -> Any:
    """Returns the op that raises an error if the run-time shape of `tensor` is not the expected one."""
    with v1.name_scope("assert_shape", values=[tensor]) as scope:
        actual = v1.shape(tensor, name="actual")
        if isinstance(expected, tf.TensorShape) and not expected.is_fully_defined():
            expected = _sizes(expected)
        fits = _is_shape(expected, tensor, actual)
        return v1.Assert(fits, [f"Wrong shape for {tensor.name} [expected] [actual].", expected, actual], name=scope)


def _is_shape(expected: Any, tensor: Any, actual: Any) -> Any:
    with v1.name_scope("is_shape", values=[tensor]) as scope:
        rank = v1.size(expected)
        with v1.name_scope("is_rank", values=[tensor]) as rank_scope:
            wanted = tf.convert_to_tensor(rank, name="expected")
            same_rank = v1.equal(wanted, v1.rank(tensor, name="actual"), name=rank_scope)
        with v1.name_scope("shape_tensor_equal", values=[expected, actual]) as equal_scope:
            either = v1.logical_or(
                v1.equal(expected, -1), v1.equal(expected, actual, "equal"), name="exclude_partial_shape"
            )
            same_sizes = v1.reduce_all(either, name=equal_scope)
        return v1.logical_and(same_rank, same_sizes, name=scope)
