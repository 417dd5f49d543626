"""Many images as one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def image_grid(
    input_tensor: Any, grid_shape: Sequence[int], image_shape: Sequence[int] = (32, 32), num_channels: int = 3
) -> Any:
    """Returns a batch of images, [batch, height, width, channels] or flat, as one image [1, height, width, channels].

    `grid_shape` is (rows, columns).

    Raises:
        ValueError: the grid does not fit the batch, or images have another shape.
    """
    batch, *sizes = input_tensor.shape.as_list()
    rows, columns = grid_shape
    height, width = image_shape
    if rows * columns != batch:
        raise ValueError(f"a grid of {rows} x {columns} cannot hold a batch of {batch} images")
    if sizes not in ([height * width * num_channels], [height, width, num_channels]):
        raise ValueError(
            f"images of shape {sizes} are not {height} x {width} x {num_channels}, nor flat ones of that size"
        )
    parts = tf.reshape(input_tensor, (rows, columns, height, width, num_channels))
    parts = tf.reshape(tf.transpose(parts, [0, 1, 3, 2, 4]), [rows, columns * width, height, num_channels])
    return tf.reshape(tf.transpose(parts, [0, 2, 1, 3]), [1, rows * height, columns * width, num_channels])


def image_reshaper(images: Any, num_cols: int | None = None) -> Any:
    """Returns images, [batch, height, width, channels] or a list of them, as one image [1, height, width, channels].

    There are `num_cols` columns; by default as many columns as rows. The last row is filled with black images.

    Raises:
        ValueError: a shape is not static, or there are not 1 or 3 channels.
    """
    parts = tf.unstack(images) if isinstance(images, tf.Tensor) else images
    for image in parts:
        image.shape.assert_has_rank(3)
        image.shape.assert_is_fully_defined()
        if image.shape.as_list()[-1] not in (1, 3):
            raise ValueError(f"an image has shape {image.shape}; it must have 1 or 3 channels")
    columns = num_cols or math.ceil(math.sqrt(len(parts)))
    rows = [list(parts[start : start + columns]) for start in range(0, len(parts), columns)]
    missing = len(rows) * columns - len(parts)
    if missing:
        rows[-1] += [tf.zeros_like(parts[-1])] * missing
    return tf.expand_dims(tf.concat([tf.concat(row, 1) for row in rows], 0), 0)
