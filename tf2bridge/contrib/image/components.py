"""Parts of images that hang together."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def connected_components(images: Any) -> Any:
    """Returns the numbers of the components of images [height, width] or [batch, height, width], int64 of that shape.

    Pixels are connected to the neighbours above, below, left and right that have the same value, zero (or "") excepted,
    which gets the number 0. Components are numbered from 1 in the order of their first pixels, through the whole batch.
    It is computed in Python: the graph runs in this process alone. Raises TypeError for images of another rank.
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
    """The numbers of the components of [batch, height, width]."""
    nothing = b"" if images.dtype.kind in "OS" else 0
    filled = images != nothing
    places = np.arange(images.size).reshape(images.shape)
    pairs = []
    for before, after in ((np.s_[:, :, :-1], np.s_[:, :, 1:]), (np.s_[:, :-1], np.s_[:, 1:])):
        same = (images[before] == images[after]) & filled[before]
        pairs.append((places[before][same], places[after][same]))
    one, other = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    roots = _roots(images.size, one, other)[filled.ravel()]
    numbers = np.zeros(images.size, np.int64)
    numbers[filled.ravel()] = np.unique(roots, return_inverse=True)[1].ravel() + 1
    return numbers.reshape(images.shape)


def _roots(count: int, one: Any, other: Any) -> Any:
    """The least place that each of `count` places is connected to, `one[i]` being connected to `other[i]`."""
    parents = np.arange(count)
    while True:
        low, high = np.minimum(parents[one], parents[other]), np.maximum(parents[one], parents[other])
        if np.array_equal(low, high):
            return parents
        np.minimum.at(parents, high, low)
        while not np.array_equal(parents[parents], parents):
            parents = parents[parents]
