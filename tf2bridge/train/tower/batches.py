"""A whole batch, and the part of it that each tower gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.train.tower.refusals import UnevenBatchError

v1 = tf.compat.v1


def split(inputs: Sequence[Any], count: int) -> list[Sequence[Any]]:
    """The arguments of each tower: every tensor of `inputs` split along its first dimension.

    Raises UnevenBatchError where the parts would not be equal; of a size that is not known yet, TensorFlow says so.
    """
    flat = [tf.convert_to_tensor(each) for each in tf.nest.flatten(inputs)]
    for each in flat:
        _part(each.shape, count)
    pieces = [v1.split(each, count, axis=0) for each in flat]
    return [tf.nest.pack_sequence_as(inputs, [piece[index] for piece in pieces]) for index in range(count)]


def check(batch: Sequence[Any], count: int) -> None:
    """Raises UnevenBatchError for a batch that towers cannot share equally."""
    for each in tf.nest.flatten(batch):
        _part(tf.TensorShape(each.shape), count)


def of_one(inputs: Sequence[Any], count: int) -> Sequence[Any]:
    """The specs of one tower's part of a batch. Raises UnevenBatchError."""
    parts = [tf.TensorSpec(_part(each.shape, count), each.dtype) for each in tf.nest.flatten(inputs)]
    found: Sequence[Any] = tf.nest.pack_sequence_as(inputs, parts)
    return found


def _part(shape: tf.TensorShape, count: int) -> tf.TensorShape:
    if shape.rank is None:
        return shape
    size = shape.as_list()[0] if shape.rank else None
    if not shape.rank or (size is not None and size % count):
        raise UnevenBatchError(size, count)
    return tf.TensorShape([None if size is None else size // count, *shape.as_list()[1:]])
