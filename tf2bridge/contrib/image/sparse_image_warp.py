"""`sparse_image_warp`: images warped so that points move to given places."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.image.dense_image_warp import dense_image_warp
from tf2bridge.contrib.image.interpolate_spline import interpolate_spline

v1 = tf.compat.v1


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
    """Returns the control points and flows, plus fixed points of the boundary."""
    fixed = boundary_locations(height, width, per_edge)
    batch = tf.compat.dimension_value(places.shape[0])
    at = tf.constant(_repeated(fixed, batch), dtype=places.dtype)
    still = tf.constant(_repeated(np.zeros_like(fixed), batch), dtype=places.dtype)
    return v1.concat([places, at], 1), v1.concat([flows, still], 1)
