"""Polyharmonic splines (https://en.wikipedia.org/wiki/Polyharmonic_spline), and warps by control points."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.image.dense_warp import dense_image_warp

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
    """The weights of the radial basis [batch, n, k] and of the linear part [batch, d + 1, k]."""
    batch, count, _ = v1.unstack(v1.shape(points), num=3)
    dimensions, outputs = (tf.compat.dimension_value(each.shape[-1]) for each in (points, values))
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
        found = v1.matrix_solve(system, wanted)
        return found[:, :count, :], found[:, count:, :]


def _basis(squared: Any, order: int) -> Any:
    """r ** order, times log r for an even order, of squared distances."""
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
    """Squared distances [batch, n, m] of [batch, n, d] and [batch, m, d]."""
    of_x = v1.reduce_sum(v1.square(x), 2)
    of_y = v1.reduce_sum(v1.square(y), 2)
    of_x, of_y = v1.expand_dims(of_x, 2), v1.expand_dims(of_y, 1)
    return of_x - 2 * v1.matmul(x, y, adjoint_b=True) + of_y


def _own_distances(x: Any) -> Any:
    products = v1.matmul(x, x, adjoint_b=True)
    norms = v1.expand_dims(v1.matrix_diag_part(products), 2)
    return norms - 2 * products + v1.transpose(norms, [0, 2, 1])


def sparse_image_warp(
    image: Any,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: float = 0.0,
    num_boundary_points: int = 0,
    name: str = "sparse_image_warp",
) -> tuple[Any, Any]:
    """Returns (image, flow [batch, height, width, 2]): control points [batch, n, 2] are moved, the rest by a spline.

    `num_boundary_points` > 0 holds the corners, and that many points less one of each edge. The image's shape
    [batch, height, width, channels] must be known.
    """
    image = tf.convert_to_tensor(image)
    sources = tf.convert_to_tensor(source_control_point_locations)
    places = tf.convert_to_tensor(dest_control_point_locations)
    flows = places - sources
    with v1.name_scope(name):
        batch, height, width, _ = image.get_shape().as_list()
        queries = tf.constant(_repeated(grid_locations(height, width).reshape(-1, 2), batch), image.dtype)
        if num_boundary_points > 0:
            places, flows = _held(places, flows, height, width, num_boundary_points - 1)
        flow = interpolate_spline(places, flows, queries, interpolation_order, regularization_weight)
        dense = v1.reshape(flow, [batch, height, width, 2])
        return dense_image_warp(image, dense), dense


def grid_locations(image_height: int, image_width: int) -> Any:
    """Returns (y, x) of every pixel, float64 [height, width, 2]."""
    pixels = np.meshgrid(np.arange(image_height), np.arange(image_width), indexing="ij")
    return np.stack(pixels, -1).astype(np.float64)


def boundary_locations(image_height: int, image_width: int, num_points_per_edge: int) -> Any:
    """Returns (y, x) of the corners and of that many points between them on each edge, float64 [points, 2]."""
    rows = np.linspace(0, image_height - 1, num_points_per_edge + 2)
    columns = np.linspace(0, image_width - 1, num_points_per_edge + 2)
    y, x = np.meshgrid(rows, columns, indexing="ij")
    outer = (x == 0) | (x == image_width - 1) | (y == 0) | (y == image_height - 1)
    return np.stack([y[outer], x[outer]], axis=-1)


def _repeated(array: Any, batch: int) -> Any:
    return np.tile(array[None], [batch, 1, 1])


def _held(places: Any, flows: Any, height: int, width: int, per_edge: int) -> tuple[Any, Any]:
    """The control points and flows, with points of the boundary that stay."""
    fixed = boundary_locations(height, width, per_edge)
    batch = tf.compat.dimension_value(places.shape[0])
    at = tf.constant(_repeated(fixed, batch), dtype=places.dtype)
    still = tf.constant(_repeated(np.zeros_like(fixed), batch), dtype=places.dtype)
    return v1.concat([places, at], 1), v1.concat([flows, still], 1)
