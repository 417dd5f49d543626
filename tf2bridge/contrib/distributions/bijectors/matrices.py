"""Bijectors of matrices: triangles from vectors, squares and inverses of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.bijectors.composed import Chain
from tf2bridge.contrib.distributions.bijectors.elementwise import Softplus
from tf2bridge.contrib.distributions.bijectors.parametric import AffineScalar
from tf2bridge.contrib.distributions.core import Bijector, checked, size_of, util, v1


class CholeskyOuterProduct(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = x @ x.T, where x is lower triangular with a positive diagonal."""

    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        self._name = name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        if self.validate_args:
            is_matrix, shape = v1.assert_rank_at_least(x, 2), v1.shape(x)
            x = checked(x, [is_matrix, v1.assert_equal(shape[-2], shape[-1])])
        x = tf.linalg.band_part(x, -1, 0)
        return tf.matmul(x, x, adjoint_b=True)

    def _inverse(self, y: Any) -> Any:
        return tf.linalg.cholesky(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        """Returns log(2 ** p * prod(diag[i] ** (p - i))); Muirhead, Aspects, theorem 2.1.9."""
        diag = _with_columns(tf.linalg.diag_part(x))
        if self.validate_args:
            x = checked(x, _checks_of_triangle(x, diag))
        size = size_of(x.shape[-1]) if x.shape.ndims is not None else None
        count = v1.shape(x)[-1] if size is None else size
        number = tf.cast(count, x.dtype) if size is None else np.array(size, dtype=x.dtype.as_numpy_dtype)
        exponents = tf.linspace(number, tf.constant(1.0, x.dtype), count)
        weighted = tf.matmul(tf.math.log(diag), exponents[..., tf.newaxis])
        result = number * np.log(2.0) + v1.squeeze(weighted, axis=-1)
        if x.shape.ndims is not None:
            return v1.squeeze(result, axis=-1) if x.shape.ndims == 2 else result
        shape = v1.shape(result)
        tail = util.pick_vector(tf.equal(tf.rank(x), 2), np.array([], dtype=np.int32), shape[-1:])
        return tf.reshape(result, tf.concat([shape[:-1], tail], 0))


def _with_columns(x: Any) -> Any:
    """Returns `x` with a rank of at least 2."""
    if x.shape.ndims is not None:
        return x[tf.newaxis, :] if x.shape.ndims == 1 else x
    shape = v1.shape(x)
    between = util.pick_vector(tf.equal(tf.rank(x), 1), [1], np.array([], dtype=np.int32))
    return tf.reshape(x, tf.concat([shape[:-1], between, shape[-1:]], 0))


def _checks_of_triangle(x: Any, diag: Any) -> list[Any]:
    shape = v1.shape(x)
    return [
        v1.assert_rank_at_least(x, 2, message="Input must be a (batch of) matrix."),
        v1.assert_equal(shape[-2], shape[-1], message="Input must be a (batch of) square matrix."),
        v1.assert_positive(diag, message="Input must be positive definite."),
    ]


class MatrixInverseTriL(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y is the inverse of the lower triangular matrix x."""

    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        self._name = name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        with tf.control_dependencies(self._checks(x)):
            shape = v1.shape(x)
            identity = tf.eye(shape[-1], batch_shape=shape[:-2])
            return tf.linalg.triangular_solve(x, identity, lower=True)

    def _inverse(self, y: Any) -> Any:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        with tf.control_dependencies(self._checks(x)):
            size = tf.cast(v1.shape(x)[-1], x.dtype.base_dtype)
            logs = tf.math.log(tf.abs(tf.linalg.diag_part(x)))
            return -2.0 * size * v1.reduce_sum(logs, axis=-1)

    def _checks(self, x: Any) -> list[Any]:
        if not self.validate_args:
            return []
        shape = v1.shape(x)
        is_matrix = v1.assert_rank_at_least(x, 2, message="Input must have rank at least 2.")
        is_square = v1.assert_equal(shape[-2], shape[-1], message="Input must be a square matrix.")
        above = tf.linalg.band_part(tf.linalg.set_diag(x, tf.zeros(shape[:-1], dtype=tf.float32)), 0, -1)
        is_lower = v1.assert_equal(above, tf.zeros_like(above), message="Input must be lower triangular.")
        diag = tf.linalg.diag_part(x)
        message = "Input must have all diagonal entries nonzero."
        return [is_matrix, is_square, is_lower, v1.assert_none_equal(diag, tf.zeros_like(diag), message=message)]


class TransformDiagonal(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """Applies `diag_bijector` to the diagonal of a matrix."""

    def __init__(self, diag_bijector: Any, validate_args: bool = False, name: str = "transform_diagonal") -> None:
        self._diag_bijector = diag_bijector
        super().__init__(forward_min_event_ndims=2, inverse_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return tf.linalg.set_diag(x, self._diag_bijector.forward(tf.linalg.diag_part(x)))

    def _inverse(self, y: Any) -> Any:
        return tf.linalg.set_diag(y, self._diag_bijector.inverse(tf.linalg.diag_part(y)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._diag_bijector.forward_log_det_jacobian(tf.linalg.diag_part(x), event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._diag_bijector.inverse_log_det_jacobian(tf.linalg.diag_part(y), event_ndims=1)


class FillTriangular(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y is the triangular matrix, [..., n, n], of the numbers of the vector x, [..., n * (n + 1) / 2]."""

    def __init__(self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular") -> None:
        self._upper = upper
        super().__init__(forward_min_event_ndims=1, inverse_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return util.fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Any) -> Any:
        return util.fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return tf.zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return tf.zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: Any) -> Any:
        size = size_of(input_shape[-1])
        side = None if size is None else vector_size_to_square_matrix_size(size, self.validate_args)
        return input_shape[:-1].concatenate([side, side])

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        rows, columns = size_of(output_shape[-2]), size_of(output_shape[-1])
        if rows is None or columns is None:
            return output_shape[:-2].concatenate([None])
        if rows != columns:
            raise ValueError(f"Matrix must be square. (saw [{rows}, {columns}])")
        return output_shape[:-2].concatenate([rows * (rows + 1) // 2])

    def _forward_event_shape_tensor(self, input_shape_tensor: Any) -> Any:
        side = vector_size_to_square_matrix_size(input_shape_tensor[-1], self.validate_args)
        return tf.concat([input_shape_tensor[:-1], [side, side]], axis=0)

    def _inverse_event_shape_tensor(self, output_shape_tensor: Any) -> Any:
        side = output_shape_tensor[-1]
        if self.validate_args:
            square = v1.assert_equal(side, output_shape_tensor[-2], message="Matrix must be square.")
            with tf.control_dependencies([square]):
                side = tf.identity(side)
        size = tf.cast(side * (side + 1) / 2, output_shape_tensor.dtype)
        return tf.concat([output_shape_tensor[:-2], [size]], axis=0)


def vector_size_to_square_matrix_size(d: Any, validate_args: bool, name: str | None = None) -> Any:
    """Returns the side of the triangle of `d` numbers. Raises ValueError if there is no such triangle."""
    if isinstance(d, float | int | np.generic | np.ndarray):
        side: Any = (-1 + np.sqrt(1 + 8 * float(d))) / 2.0
        if float(int(side)) != side:
            raise ValueError("Vector length is not a triangular number.")
        return int(side)
    with v1.name_scope(name, "vector_size_to_square_matrix_size", [d]):
        side = (-1.0 + tf.sqrt(1 + 8.0 * tf.cast(d, tf.float32))) / 2.0
        if validate_args:
            rounded, message = tf.cast(tf.cast(side, tf.int32), tf.float32), "Vector length is not a triangular number"
            with tf.control_dependencies([v1.assert_equal(rounded, side, message=message)]):
                side = tf.identity(side)
        return tf.cast(side, d.dtype)


class ScaleTriL(Chain):
    """y is a lower triangular matrix of the numbers of x, with `diag_bijector` applied to its diagonal.

    The default of `diag_bijector` is softplus, which makes the diagonal positive. `diag_shift` is added last.
    """

    def __init__(
        self,
        diag_bijector: Any = None,
        diag_shift: Any = 1e-5,
        validate_args: bool = False,
        name: str = "scale_tril",
    ) -> None:
        if diag_bijector is None:
            diag_bijector = Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diag_bijector = Chain([AffineScalar(shift=diag_shift), diag_bijector])
        diagonal = TransformDiagonal(diag_bijector=diag_bijector)
        super().__init__([diagonal, FillTriangular()], validate_args=validate_args, name=name)
