"""Values of images at points between pixels: Jaderberg et al., "Spatial Transformer Networks", 2015, equation 5."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def resampler(data: Any, warp: Any, name: str = "resampler") -> Any:
    """Returns `data` [batch, height, width, channels] at the points `warp` [batch, ..., 2], which are (x, y).

    Values are interpolated between the four pixels around a point. Pixels outside the image are 0. Both arguments have
    gradients.

    Raises:
        ValueError: the shapes do not fit.
    """
    with v1.name_scope(name, "resampler", [data, warp]):
        data = tf.convert_to_tensor(data, name="data")
        warp = tf.convert_to_tensor(warp, name="warp")
        if data.shape.rank not in (None, 4) or warp.shape[-1:].as_list() not in ([2], [None]):
            raise ValueError(f"data must be [batch, height, width, channels] and warp [..., 2]: {data}, {warp}")
        points = tf.reshape(warp, [tf.shape(warp)[0], -1, 2])
        interpolated = _interpolated(data, points)
        channels = tf.shape(data)[3]
        shaped = tf.reshape(interpolated, tf.concat([tf.shape(warp)[:-1], [channels]], 0))
        shaped.set_shape(warp.shape[:-1].concatenate(data.shape[3:]))
        return shaped


def _interpolated(data: Any, points: Any) -> Any:
    """Returns the interpolated pixels, [batch, points, channels]."""
    corner = tf.floor(points)
    after = points - corner
    before = 1 - after
    total: Any = 0
    for right in (0, 1):
        for down in (0, 1):
            weight = (after if right else before)[..., 0] * (after if down else before)[..., 1]
            total += weight[..., tf.newaxis] * _pixels(data, corner[..., 0] + right, corner[..., 1] + down)
    return total


def _pixels(data: Any, x: Any, y: Any) -> Any:
    """Returns the pixels at integer x and y [batch, points]. They are 0 outside the image."""
    height, width = tf.shape(data)[1], tf.shape(data)[2]
    x, y = tf.cast(x, tf.int32), tf.cast(y, tf.int32)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    rows = tf.clip_by_value(y, 0, height - 1)
    columns = tf.clip_by_value(x, 0, width - 1)
    pixels = tf.gather_nd(data, tf.stack([rows, columns], axis=-1), batch_dims=1)
    return tf.where(inside[..., tf.newaxis], pixels, tf.zeros_like(pixels))
