"""Checks of tensors in the session, whose errors print the values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def multiple_of(value: Any, factor: int, label: str | None = None) -> Any:
    """Returns an op that raises an error unless `value` is a multiple of `factor` and not 0."""
    message = f"{label or 'Tensor ' + value.name} should be a multiple of: "
    return v1.Assert(
        v1.logical_and(v1.equal(v1.mod(value, factor), 0), v1.not_equal(value, 0)),
        [
            v1.string_join(
                [
                    message,
                    v1.as_string(factor),
                    ", but saw value: ",
                    v1.as_string(value),
                    ". Consider setting pad=True.",
                ]
            )
        ],
    )


def checked_rank(value: Any, rank: Any) -> Any:
    """Returns `value` after a check of its rank. `rank` is a number or tensor.

    Raises:
        ValueError: the static rank is another.
    """
    message = v1.string_join([f"Rank of tensor {value.name} should be: ", v1.as_string(rank), ", shape received:"])
    with tf.control_dependencies([v1.Assert(v1.equal(rank, v1.rank(value)), [message, v1.shape(value)])]):
        checked = v1.identity(value, name="rank_checked")
        static = tf.get_static_value(rank) if tf.is_tensor(rank) else rank
        if static is not None:
            try:
                checked.set_shape(checked.get_shape().with_rank(int(static)))
            except ValueError as error:
                raise ValueError(f"Rank check failed for {value.name}: {error}") from None
        return checked


def checked_shape(value: Any, shape: Any) -> Any:
    """Returns `value` after a check of its shape. Raises ValueError if the static shape is another."""
    static = tf.get_static_value(shape) if tf.is_tensor(shape) else shape
    if static is not None:
        shape = [int(size) for size in static]
    value = checked_rank(value, v1.size(shape) if static is None else len(shape))
    message = v1.string_join(
        [
            f"Shape of tensor {value.name} should be: ",
            v1.as_string(shape),
            ", shape received: ",
            v1.as_string(v1.shape(value)),
        ]
    )
    with tf.control_dependencies([v1.Assert(v1.reduce_all(v1.equal(shape, v1.shape(value))), [message])]):
        checked = v1.identity(value, name="shape_checked")
        if static is not None:
            try:
                checked.set_shape(checked.get_shape().merge_with(shape))
            except ValueError as error:
                raise ValueError(f"Shape check failed for {value.name}: {error}") from None
        return checked


def checked_dimensions(value: Any, dimensions: Sequence[int], sizes: Sequence[Any], label: str) -> Any:
    """Returns `value` after a check that its `dimensions` have `sizes`, which are numbers or tensors.

    Raises:
        ValueError: a static size is another.
    """
    known = value.get_shape()
    if known.ndims is not None:
        if known.ndims <= max(dimensions):
            raise ValueError(f"{label}: rank {known.ndims} is too small for dimension {max(dimensions)}")
        static = known.as_list()
        for dimension, size in zip(dimensions, sizes, strict=True):
            if not tf.is_tensor(size):
                static[dimension] = size
        try:
            value.set_shape(known.merge_with(static))
        except ValueError as error:
            raise ValueError(f"Dimensions check failed for {label}: {error}") from None
    checks = [
        v1.Assert(
            v1.equal(size, v1.shape(value)[dimension]),
            [
                v1.string_join(
                    [
                        f"Dimension {dimension} of tensor labeled {label} should be: ",
                        v1.as_string(size),
                        ", shape received: ",
                        v1.as_string(v1.shape(value)),
                    ]
                )
            ],
        )
        for dimension, size in zip(dimensions, sizes, strict=True)
    ]
    with tf.control_dependencies(checks):
        return v1.identity(value, name=f"dims_checked_{label}")
