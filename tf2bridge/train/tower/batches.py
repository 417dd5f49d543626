"""Splits a whole batch into the parts of the towers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.train.tower.refusals import UnevenBatchError

v1 = tf.compat.v1


def split(inputs: Sequence[Any], count: int) -> list[Sequence[Any]]:
    """Returns the arguments of each tower: every tensor of `inputs`, [batch, ...], split along its first dimension.

    Raises:
        UnevenBatchError: The parts are not equal. If the size is not known yet, TensorFlow raises its own error later.
    """
    flat = [tf.convert_to_tensor(tensor) for tensor in tf.nest.flatten(inputs)]
    for tensor in flat:
        _part(tensor.shape, count)
    pieces = [v1.split(tensor, count, axis=0) for tensor in flat]
    return [tf.nest.pack_sequence_as(inputs, [piece[index] for piece in pieces]) for index in range(count)]


def check(batch: Sequence[Any], count: int) -> None:
    """Raises UnevenBatchError for a batch that towers cannot share equally."""
    for tensor in tf.nest.flatten(batch):
        _part(tf.TensorShape(tensor.shape), count)


def of_one(inputs: Sequence[Any], count: int) -> Sequence[Any]:
    """Returns the specs of one tower's part of a batch. Raises UnevenBatchError."""
    parts = [tf.TensorSpec(_part(spec.shape, count), spec.dtype) for spec in tf.nest.flatten(inputs)]
    structure: Sequence[Any] = tf.nest.pack_sequence_as(inputs, parts)
    return structure


def _part(shape: tf.TensorShape, count: int) -> tf.TensorShape:
    if shape.rank is None:
        return shape
    size = shape.as_list()[0] if shape.rank else None
    if not shape.rank or (size is not None and size % count):
        raise UnevenBatchError(size, count)
    return tf.TensorShape([None if size is None else size // count, *shape.as_list()[1:]])
