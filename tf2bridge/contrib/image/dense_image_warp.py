"""Warping of images by a flow given at every pixel, bilinear."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Any:
    """Returns an image [batch, height, width, channels]. Its pixel p is the input at p - flow[p], interpolated.

    `flow` is [batch, height, width, 2] (rows, columns). The session fails for images smaller than 2 by 2.
    """
    with v1.name_scope(name):
        batch, height, width, channels = (v1.shape(image)[axis] for axis in range(4))
        columns, rows = v1.meshgrid(v1.range(width), v1.range(height))
        grid = v1.cast(v1.stack([rows, columns], axis=2), flow.dtype)
        points = v1.expand_dims(grid, axis=0) - flow
        points = v1.reshape(points, [batch, height * width, 2])
        return v1.reshape(interpolate_bilinear(image, points), [batch, height, width, channels])


def interpolate_bilinear(grid: Any, query_points: Any, name: str = "interpolate_bilinear", indexing: str = "ij") -> Any:
    """Returns values [batch, points, channels] of `grid` [batch, height, width, channels] between its pixels.

    `query_points` is [batch, points, 2]: (row, column), or (column, row) if `indexing` is "xy".

    Raises:
        ValueError: `indexing` is unknown, or the rank of the grid is wrong.
    """
    if indexing not in ("ij", "xy"):
        raise ValueError("Indexing mode must be 'ij' or 'xy'")
    with v1.name_scope(name):
        image = tf.convert_to_tensor(grid)
        points = tf.convert_to_tensor(query_points)
        if len(image.get_shape()) != 4:
            raise ValueError(f"the image must be [batch, height, width, channels], not of shape {image.get_shape()}")
        batch, height, width, channels = (v1.shape(image)[axis] for axis in range(4))
        with tf.control_dependencies(_point_checks(points)):
            count = v1.shape(points)[1]
        with tf.control_dependencies(
            [
                v1.assert_greater_equal(height, 2, message="Grid height must be at least 2."),
                v1.assert_greater_equal(width, 2, message="Grid width must be at least 2."),
            ]
        ):
            coordinates = v1.unstack(points, axis=2)
        (top, below), (left, right) = (
            _neighbours(coordinates[axis], (height, width)[axis], image.dtype, f"dim-{axis}")
            for axis in ((0, 1) if indexing == "ij" else (1, 0))
        )
        with tf.control_dependencies([_size_check(batch * height * width)]):
            flat = v1.reshape(image, [batch * height * width, channels])
            offsets = v1.reshape(v1.range(batch) * height * width, [batch, 1])

        def pixels(row: Any, column: Any, name: str) -> Any:
            with v1.name_scope(f"gather-{name}"):
                return v1.reshape(v1.gather(flat, offsets + row * width + column), [batch, count, channels])

        top_left = pixels(top, left, "top_left")
        top_right = pixels(top, left + 1, "top_right")
        bottom_left = pixels(top + 1, left, "bottom_left")
        bottom_right = pixels(top + 1, left + 1, "bottom_right")
        with v1.name_scope("interpolate"):
            upper = right * (top_right - top_left) + top_left
            lower = right * (bottom_right - bottom_left) + bottom_left
            return below * (lower - upper) + upper


def _neighbours(queries: Any, size: Any, dtype: Any, name: str) -> tuple[Any, Any]:
    """Returns (pixel before each coordinate, fraction of the way to the next pixel [batch, points, 1])."""
    with v1.name_scope(name):
        last = v1.cast(size - 2, queries.dtype)
        first = tf.constant(0.0, dtype=queries.dtype)
        floor = v1.minimum(v1.maximum(first, v1.floor(queries)), last)
        pixel = v1.cast(floor, tf.int32)
        share = v1.cast(queries - floor, dtype)
        low, high = tf.constant(0.0, dtype=dtype), tf.constant(1.0, dtype=dtype)
        return pixel, v1.expand_dims(v1.minimum(v1.maximum(low, share), high), 2)


def _point_checks(points: Any) -> list[Any]:
    return [
        v1.assert_equal(len(points.get_shape()), 3, message="Query points must be 3 dimensional."),
        v1.assert_equal(v1.shape(points)[2], 2, message="Query points must be size 2 in dim 2."),
    ]


def _size_check(pixels: Any) -> Any:
    message = "The image size or batch size is so large that the int32 places of its pixels may overflow."
    return v1.assert_less_equal(v1.cast(pixels, dtype=tf.float32), np.iinfo(np.int32).max / 8, message=message)
