"""The sliced Wasserstein distance of images. Karras et al., 2017, https://arxiv.org/abs/1710.10196."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
_ROW = np.array([1, 4, 6, 4, 1], np.float32)
_GAUSSIAN = np.outer(_ROW, _ROW).reshape(5, 5, 1, 1) / np.float32(256)


def sliced_wasserstein_distance(
    real_images: Any,
    fake_images: Any,
    resolution_min: int = 16,
    patches_per_image: int = 64,
    patch_size: int = 7,
    random_sampling_count: int = 1,
    random_projection_dim: int = 7 * 7 * 3,
    use_svd: bool = False,
) -> list[tuple[Any, Any]]:
    """Returns, for each level of the Laplacian pyramid, the distances real to real and real to fake.

    Images are [batch, size, size, 3], of the same static shape. The first level is the largest.

    Raises:
        ValueError: a shape is another.
    """
    size = int(real_images.shape.as_list()[1])
    real_images.shape.assert_is_compatible_with([None, None, size, 3])
    fake_images.shape.assert_is_compatible_with(real_images.shape)
    levels = int(np.log2(size)) - int(np.log2(min(resolution_min, size))) + 1
    real, test, fake = [], [], []
    for level in _pyramid(real_images, levels):
        real.append(_patches(level, patches_per_image, patch_size))
        test.append(_patches(level, patches_per_image, patch_size))
    for level in _pyramid(fake_images, levels):
        fake.append(_patches(level, patches_per_image, patch_size))
    rows = [[_normalized(patches) for patches in level] for level in zip(real, test, fake, strict=True)]

    def distance(first: Any, second: Any) -> Any:
        if use_svd:
            return _by_svd(first, second)
        return _by_projections(first, second, random_sampling_count, random_projection_dim)

    return [(distance(first, second), distance(first, third)) for first, second, third in rows]


def _pyramid(batch: Any, levels: int) -> list[Any]:
    gaussian = tf.constant(_GAUSSIAN)
    pyramid = [v1.to_float(batch)]
    for _ in range(1, levels):
        pyramid.append(_blurred(pyramid[-1], gaussian, 1)[:, ::2, ::2])
        pyramid[-2] -= _enlarged(pyramid[-1], gaussian)
    return pyramid


def _blurred(batch: Any, gaussian: Any, gain: int) -> Any:
    shape = tf.shape(batch)
    padded = tf.pad(batch, [[0, 0], [2, 2], [2, 2], [0, 0]], "REFLECT")
    planes = tf.transpose(padded, [0, 3, 1, 2])
    planes = tf.reshape(planes, [shape[0] * shape[3], shape[1] + 4, shape[2] + 4, 1])
    planes = v1.nn.conv2d(planes, gaussian * gain, [1] * 4, "VALID")
    planes = tf.reshape(planes, [shape[0], shape[3], shape[1], shape[2]])
    return tf.transpose(planes, [0, 2, 3, 1])


def _enlarged(batch: Any, gaussian: Any) -> Any:
    """Returns the batch at twice its size: zeros between its pixels, then blurred."""
    shape = tf.shape(batch)
    zeros = tf.zeros([3 * shape[0], shape[1], shape[2], shape[3]])
    spread = v1.batch_to_space(tf.concat([batch, zeros], 0), crops=[[0, 0], [0, 0]], block_size=2)
    return _blurred(spread, gaussian, 4)


def _patches(batch: Any, per_image: int, patch_size: int) -> Any:
    """Returns random patches, [patches, patch_size, patch_size, 3]; NumPy's global generator places them."""
    half = patch_size // 2

    def drawn(images: Any) -> Any:
        count, height, width, channels = images.shape
        total = per_image * count
        grid = np.ogrid[0:total, -half : half + 1, -half : half + 1, 0:3]
        number, rows, columns, channel = grid
        shape = (total, 1, 1, 1)
        rows = rows + np.random.randint(half, height - half, size=shape)
        columns = columns + np.random.randint(half, width - half, size=shape)
        return images.flat[(((number // per_image) * height + rows) * width + columns) * channels + channel]

    return v1.py_func(drawn, [batch], batch.dtype, stateful=False)


def _normalized(patches: Any) -> Any:
    patches = tf.concat(patches, 0)
    mean, variance = v1.nn.moments(patches, [1, 2, 3], keep_dims=True)
    patches = (patches - mean) / tf.sqrt(variance)
    return tf.reshape(patches, [tf.shape(patches)[0], -1])


def _sorted_rows(matrix: Any, count: Any) -> Any:
    """Returns each column of `matrix` from the largest number on."""
    return tf.transpose(tf.math.top_k(tf.transpose(matrix, [1, 0]), count)[0], [1, 0])


def _by_projections(first: Any, second: Any, samples: int, dimensions: int) -> Any:
    shape = tf.shape(first)
    means = []
    for _ in range(samples):
        projection = v1.random_normal([tf.shape(first)[1], dimensions])
        projection *= tf.math.rsqrt(v1.reduce_sum(tf.square(projection), 0, keepdims=True))
        rows = [_sorted_rows(product, shape[0]) for product in (first @ projection, second @ projection)]
        means.append(v1.reduce_mean(tf.abs(rows[0] - rows[1])))
    return v1.reduce_mean(means)


def _by_svd(first: Any, second: Any) -> Any:
    count = tf.shape(first)[0]
    values, left = tf.linalg.svd(tf.concat([first, second], 0))[:2]
    halves = tf.split(left * values, 2, axis=0)
    rows = [_sorted_rows(half[:, ::-1], count) for half in halves]
    return v1.reduce_mean(tf.abs(rows[0] - rows[1]))
