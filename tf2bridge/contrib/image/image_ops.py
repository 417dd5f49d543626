"""Projective transforms of images, and connected components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1

_DTYPES = (tf.uint8, tf.int32, tf.int64, tf.float16, tf.float32, tf.float64)


def _batched(images: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Returns `images` ([height, width], with channels or batch too) as a batch, and the inverse function.

    Raises:
        TypeError: the rank or the dtype is not supported.
    """
    if images.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"images are of type {images.dtype.name}: use one of {[dtype.name for dtype in _DTYPES]}")
    rank = images.get_shape().ndims
    if rank is None:
        raise TypeError("the rank of the images must be known; call set_shape")
    if rank == 2:
        return images[None, :, :, None], lambda batch: batch[0, :, :, 0]
    if rank == 3:
        return images[None, :, :, :], lambda batch: batch[0, :, :, :]
    if rank == 4:
        return images, lambda batch: batch
    raise TypeError(f"images must be of rank 2, 3 or 4, not {rank}")


def transform(
    images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None, name: str | None = None
) -> Any:
    """Returns images. The pixel (x, y) comes from ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) of the input.

    `transforms` is [a0, a1, a2, b0, b1, b2, c0, c1], or such a row for each image; k = c0 x + c1 y + 1. Pixels from
    outside are 0. `interpolation` is "NEAREST" or "BILINEAR", `output_shape` is [height, width].

    Raises:
        TypeError: images or transforms have another rank or dtype.
        ValueError: the output shape is not [height, width].
    """
    with v1.name_scope(name, "transform"):
        given = tf.convert_to_tensor(images, name="images")
        rows = tf.convert_to_tensor(transforms, name="transforms", dtype=tf.float32)
        batch, back = _batched(given)
        if output_shape is None:
            output_shape = v1.shape(batch)[1:3]
            if not tf.executing_eagerly():
                static = tf.get_static_value(output_shape)
                output_shape = output_shape if static is None else static
        output_shape = tf.convert_to_tensor(output_shape, tf.int32, name="output_shape")
        if not output_shape.get_shape().is_compatible_with([2]):
            raise ValueError(f"output_shape must be [height, width], not of shape {output_shape.get_shape()}")
        if rows.get_shape().ndims not in (1, 2):
            raise TypeError(f"transforms must be of rank 1 or 2, not of shape {rows.get_shape()}")
        if rows.get_shape().ndims == 1:
            rows = rows[None]
        transformed = tf.raw_ops.ImageProjectiveTransformV2(
            images=batch, output_shape=output_shape, transforms=rows, interpolation=interpolation.upper()
        )
        return back(transformed)


def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> Any:
    """Returns the images turned counterclockwise by `angles` (radians), a scalar or one for each image."""
    with v1.name_scope(name, "rotate"):
        given = tf.convert_to_tensor(images)
        batch, back = _batched(given)
        height = v1.cast(v1.shape(batch)[1], tf.float32)[None]
        width = v1.cast(v1.shape(batch)[2], tf.float32)[None]
        rows = angles_to_projective_transforms(angles, height, width)
        return back(transform(batch, rows, interpolation=interpolation))


def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> Any:
    """Returns the images moved by `translations` [dx, dy], or such a row for each image."""
    with v1.name_scope(name, "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation=interpolation)


def angles_to_projective_transforms(angles: Any, image_height: Any, image_width: Any, name: str | None = None) -> Any:
    """Returns the transforms [angles, 8] that turn images about their centre. Raises TypeError for ranks above 1."""
    with v1.name_scope(name, "angles_to_projective_transforms"):
        given = tf.convert_to_tensor(angles, name="angles", dtype=tf.float32)
        rank = len(given.get_shape())
        if rank > 1:
            raise TypeError(f"angles must be of rank 0 or 1, not {rank}")
        angles = given if rank else given[None]
        x = v1.cos(angles) * (image_width - 1) - v1.sin(angles) * (image_height - 1)
        x = (image_width - 1 - x) / 2.0
        y = v1.sin(angles) * (image_width - 1) + v1.cos(angles) * (image_height - 1)
        y = (image_height - 1 - y) / 2.0
        count = v1.shape(angles)[0]
        columns = [
            v1.cos(angles)[:, None],
            -v1.sin(angles)[:, None],
            x[:, None],
            v1.sin(angles)[:, None],
            v1.cos(angles)[:, None],
            y[:, None],
            v1.zeros((count, 2), tf.float32),
        ]
        return v1.concat(values=columns, axis=1)


def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Any:
    """Returns the transforms [translations, 8] that move images. Raises TypeError for another rank than 1 or 2."""
    with v1.name_scope(name, "translations_to_projective_transforms"):
        given = tf.convert_to_tensor(translations, name="translations", dtype=tf.float32)
        if given.get_shape().ndims not in (1, 2):
            raise TypeError(f"translations must be of rank 1 or 2, not of shape {given.get_shape()}")
        rows = given[None] if given.get_shape().ndims == 1 else given
        count = v1.shape(rows)[0]
        columns = [
            v1.ones((count, 1), tf.float32),
            v1.zeros((count, 1), tf.float32),
            -rows[:, 0, None],
            v1.zeros((count, 1), tf.float32),
            v1.ones((count, 1), tf.float32),
            -rows[:, 1, None],
            v1.zeros((count, 2), tf.float32),
        ]
        return v1.concat(values=columns, axis=1)


def compose_transforms(*transforms: Any) -> Any:
    """Returns the one transform [count, 8] whose matrix is the product of those given."""
    assert transforms, "transforms cannot be empty"
    with v1.name_scope("compose_transforms"):
        composed = flat_transforms_to_matrices(transforms[0])
        for transform_vector in transforms[1:]:
            composed = v1.matmul(composed, flat_transforms_to_matrices(transform_vector))
        return matrices_to_flat_transforms(composed)


def flat_transforms_to_matrices(transforms: Any) -> Any:
    """Returns matrices [count, 3, 3] of transforms [8] or [count, 8]. Raises ValueError for another rank."""
    with v1.name_scope("flat_transforms_to_matrices"):
        rows = tf.convert_to_tensor(transforms, name="transforms")
        if rows.shape.ndims not in (1, 2):
            raise ValueError(f"transforms must be of rank 1 or 2, not {rows}")
        rows = v1.reshape(rows, tf.constant([-1, 8]))
        last = v1.ones([v1.shape(rows)[0], 1])
        return v1.reshape(v1.concat([rows, last], axis=1), tf.constant([-1, 3, 3]))


def matrices_to_flat_transforms(transform_matrices: Any) -> Any:
    """Returns transforms [count, 8] of matrices [3, 3] or [count, 3, 3]. Raises ValueError for another rank."""
    with v1.name_scope("matrices_to_flat_transforms"):
        matrices = tf.convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"matrices must be of rank 2 or 3, not {matrices}")
        rows = v1.reshape(matrices, tf.constant([-1, 9]))
        rows /= rows[:, 8:9]
        return rows[:, :8]


def image_projective_transform(images: Any, transforms: Any, interpolation: str, name: str | None = None) -> Any:
    """Returns the images, [batch, height, width, channels], transformed by the op of contrib: their size stays."""
    return tf.raw_ops.ImageProjectiveTransformV2(
        images=images,
        output_shape=v1.shape(images)[1:3],
        transforms=transforms,
        interpolation=interpolation.upper(),
        name=name,
    )


def connected_components(images: Any) -> Any:
    """Returns the numbers of the components of images [height, width] or [batch, height, width], int64 of that shape.

    Pixels are connected to the neighbours above, below, left and right that have the same value. Pixels with 0 or ""
    have the number 0. Components are numbered from 1 in the order of their first pixels, through the batch. Python
    computes the numbers, so the graph runs only in this process.

    Raises:
        TypeError: the images have another rank.
    """
    with v1.name_scope("connected_components"):
        given = tf.convert_to_tensor(images, name="images")
        rank = given.get_shape().ndims
        if rank not in (2, 3):
            raise TypeError(
                f"images should have rank 2 (HW) or 3 (NHW). Static shape is {given.get_shape()}; call set_shape"
            )
        numbers = v1.py_func(_numbered, [given if rank == 3 else given[None]], tf.int64, stateful=False)
        numbers = v1.reshape(numbers, v1.shape(given))
        numbers.set_shape(given.get_shape())
        return numbers


def _numbered(images: Any) -> Any:
    """Returns the component numbers of [batch, height, width]."""
    background = b"" if images.dtype.kind in "OS" else 0
    filled = images != background
    places = np.arange(images.size).reshape(images.shape)
    pairs = []
    for before, after in ((np.s_[:, :, :-1], np.s_[:, :, 1:]), (np.s_[:, :-1], np.s_[:, 1:])):
        same = (images[before] == images[after]) & filled[before]
        pairs.append((places[before][same], places[after][same]))
    first, second = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    roots = _roots(images.size, first, second)[filled.ravel()]
    numbers = np.zeros(images.size, np.int64)
    numbers[filled.ravel()] = np.unique(roots, return_inverse=True)[1].ravel() + 1
    return numbers.reshape(images.shape)


def _roots(count: int, first: Any, second: Any) -> Any:
    """Returns the smallest position connected to each of `count` positions. `first[i]` is linked to `second[i]`."""
    parents = np.arange(count)
    while True:
        low, high = np.minimum(parents[first], parents[second]), np.maximum(parents[first], parents[second])
        if np.array_equal(low, high):
            return parents
        np.minimum.at(parents, high, low)
        while not np.array_equal(parents[parents], parents):
            parents = parents[parents]
