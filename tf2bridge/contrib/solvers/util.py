"""Linear operators of matrices, and products and norms of vectors."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

v1 = tf.compat.v1


class LinearOperator(NamedTuple):
    """A matrix that is applied to column vectors. `shape` is a list, or a tensor if it is not static."""

    shape: Any
    dtype: Any
    apply: Any
    apply_adjoint: Any


def create_operator(matrix: Any) -> LinearOperator:
    """Returns the operator of `matrix`, [rows, columns]."""
    return LinearOperator(
        shape=_shape(matrix),
        dtype=matrix.dtype,
        apply=lambda v: tf.matmul(matrix, v, adjoint_a=False),
        apply_adjoint=lambda v: tf.matmul(matrix, v, adjoint_a=True),
    )


def identity_operator(matrix: Any) -> LinearOperator:
    """Returns the identity, with the shape and dtype of `matrix`."""
    return LinearOperator(_shape(matrix), matrix.dtype, lambda v: v, lambda v: v)


def _shape(matrix: Any) -> Any:
    return matrix.shape.as_list() if matrix.shape.is_fully_defined() else tf.shape(matrix)


def dot(x: Any, y: Any) -> Any:
    """Returns the inner product of two tensors, a scalar; the first is conjugated."""
    return v1.reduce_sum(tf.math.conj(x) * y)


def l2norm_squared(v: Any) -> Any:
    """Returns the sum of squares of a tensor, a scalar."""
    return tf.constant(2, dtype=v.dtype.base_dtype) * tf.nn.l2_loss(v)


def l2norm(v: Any) -> Any:
    """Returns the Euclidean norm of a tensor, a scalar."""
    return tf.sqrt(l2norm_squared(v))


def l2normalize(v: Any) -> tuple[Any, Any]:
    """Returns a tensor divided by its norm, and this norm."""
    norm = l2norm(v)
    return v / norm, norm
