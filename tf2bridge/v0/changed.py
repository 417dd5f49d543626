"""Functions that 0.12 computed in another way, or that were functions where 1.x has classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.refusals import ArgumentError
from tf2bridge.v1.refusals import unavailable

v1 = tf.compat.v1

KMeansClustering = unavailable("contrib.learn.KMeansClustering")
"""In 0.12 the estimator of contrib.learn; contrib.factorization has one of tf.estimator under this name since 1.4."""


def reverse(tensor: Any, dims: Any, name: str | None = None) -> Any:
    """Returns `tensor` reversed in each dimension for which `dims`, a vector of bools, is true.

    Raises ArgumentError if `dims` are not bools: 1.x takes axes there.
    """
    dims = tf.convert_to_tensor(dims, name="dims")
    if dims.dtype != tf.bool:
        raise ArgumentError("reverse", "tensor, dims, name", f"takes a bool for each dimension, not {dims.dtype.name}")
    return tf.raw_ops.Reverse(tensor=tensor, dims=dims, name=name)


_Value: Any = v1.SparseTensorValue


class SparseTensorValue(_Value):  # type: ignore[misc]  # TensorFlow has no types
    """A sparse tensor as arrays, whose shape was called `shape`."""

    __slots__ = ()

    def __new__(cls, indices: Any, values: Any, shape: Any) -> SparseTensorValue:
        return super().__new__(cls, indices, values, shape)  # type: ignore[no-any-return]  # as above

    @property
    def shape(self) -> Any:
        """The dense shape, int64 [rank]."""
        return self.dense_shape


def confusion_matrix(
    predictions: Any,
    labels: Any,
    num_classes: int | None = None,
    dtype: Any = tf.int32,
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """Returns the matrix of contrib.metrics in 0.12, whose rows are predictions; in 1.x they are labels."""
    return v1.confusion_matrix(predictions, labels, num_classes, dtype, name, weights)


def bucketize(input_tensor: Any, boundaries: list[float], name: str | None = None) -> Any:
    """Returns the number of the bucket of each value, int32. Raises TypeError if `boundaries` is not a list."""
    if not isinstance(boundaries, list):
        raise TypeError("boundaries must be a list")
    return tf.raw_ops.Bucketize(input=input_tensor, boundaries=boundaries, name=name)


def zeros_initializer(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> Any:
    """Returns zeros of `shape`. In 0.12 programs pass this function itself as the initializer."""
    del partition_info
    return v1.zeros(shape, dtype)


def ones_initializer(dtype: Any = tf.float32, partition_info: Any = None) -> Callable[..., Any]:
    """Returns an initializer of ones."""
    del partition_info

    def initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
        del partition_info
        return v1.constant(1, dtype=dtype, shape=shape)

    return initializer


def orthogonal_initializer(gain: float = 1.0, dtype: Any = tf.float32, seed: int | None = None) -> Callable[..., Any]:
    """Returns an initializer of orthogonal matrices, by 0.12's method: the singular vectors of a uniform draw.

    (1.x takes the QR decomposition of a normal draw.) Leading dimensions are flattened. Raises ValueError for a vector.
    """

    def initializer(shape: Sequence[int], dtype: Any = dtype, partition_info: Any = None) -> Any:
        del partition_info
        sizes = [int(size) for size in shape]
        if len(sizes) < 2:
            raise ValueError(f"orthogonal_initializer needs two dimensions or more, not the shape {sizes}")
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        draw = v1.random_uniform((rows, columns), dtype=dtype, seed=seed)
        _, left, right = v1.svd(draw, full_matrices=False)
        return gain * v1.reshape(left if rows > columns else v1.transpose(right), sizes)

    return initializer
