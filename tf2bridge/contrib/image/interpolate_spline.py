"""`interpolate_spline`: values between points, by polyharmonic splines."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_EPSILON = 1e-10


def interpolate_spline(
    train_points: Any,
    train_values: Any,
    query_points: Any,
    order: int,
    regularization_weight: float = 0.0,
    name: str = "interpolate_spline",
) -> Any:
    """Returns values [batch, queries, k] at `query_points` [batch, queries, d] of the spline through the given ones.

    `train_points` is [batch, n, d], `train_values` [batch, n, k]; d and k must be known, else ValueError. `order` is
    the exponent of the distance, 1 or more; 2 gives thin plates.
    """
    with v1.name_scope(name):
        points = tf.convert_to_tensor(train_points)
        values = tf.convert_to_tensor(train_values)
        queries = tf.convert_to_tensor(query_points)
        with v1.name_scope("solve"):
            radial, linear = _solved(points, values, order, regularization_weight)
        with v1.name_scope("predict"):
            basis = _basis(_distances(queries, points), order)
            of_radial = v1.matmul(basis, radial)
            padded = v1.concat([queries, v1.ones_like(queries[..., :1], points.dtype)], 2)
            return of_radial + v1.matmul(padded, linear)


def _solved(points: Any, values: Any, order: int, regularization: float) -> tuple[Any, Any]:
    """Returns the weights of the radial basis [batch, n, k] and of the linear part [batch, d + 1, k]."""
    batch, count, _ = v1.unstack(v1.shape(points), num=3)
    dimensions, outputs = (tf.compat.dimension_value(tensor.shape[-1]) for tensor in (points, values))
    if dimensions is None or outputs is None:
        raise ValueError("interpolate_spline: the last dimensions of points and values must be known; call set_shape")
    with v1.name_scope("construct_linear_system"):
        radial = _basis(_own_distances(points), order)
        if regularization > 0:
            radial += regularization * v1.expand_dims(tf.eye(count, dtype=points.dtype), 0)
        linear = v1.concat([points, v1.ones_like(points[..., :1], dtype=points.dtype)], 2)
        left = v1.concat([radial, v1.transpose(linear, [0, 2, 1])], 1)
        size = dimensions + 1
        right = v1.concat([linear, v1.zeros([batch, size, size], points.dtype)], 1)
        system = v1.concat([left, right], 2)
        wanted = v1.concat([values, v1.zeros([batch, size, outputs], points.dtype)], 1)
    with v1.name_scope("solve_linear_system"):
        solution = v1.matrix_solve(system, wanted)
        return solution[:, :count, :], solution[:, count:, :]


def _basis(squared: Any, order: int) -> Any:
    """Returns r ** order of squared distances. An even order has the additional factor log r."""
    with v1.name_scope("phi"):
        if order == 1:
            return v1.sqrt(v1.maximum(squared, _EPSILON))
        if order == 2:
            return 0.5 * squared * v1.log(v1.maximum(squared, _EPSILON))
        if order == 4:
            return 0.5 * v1.square(squared) * v1.log(v1.maximum(squared, _EPSILON))
        squared = v1.maximum(squared, _EPSILON)
        power = v1.pow(squared, 0.5 * order)
        return power if order % 2 else 0.5 * power * v1.log(squared)


def _distances(x: Any, y: Any) -> Any:
    """Returns the squared distances [batch, n, m] of [batch, n, d] and [batch, m, d]."""
    of_x = v1.reduce_sum(v1.square(x), 2)
    of_y = v1.reduce_sum(v1.square(y), 2)
    of_x, of_y = v1.expand_dims(of_x, 2), v1.expand_dims(of_y, 1)
    return of_x - 2 * v1.matmul(x, y, adjoint_b=True) + of_y


def _own_distances(x: Any) -> Any:
    products = v1.matmul(x, x, adjoint_b=True)
    norms = v1.expand_dims(v1.matrix_diag_part(products), 2)
    return norms - 2 * products + v1.transpose(norms, [0, 2, 1])
