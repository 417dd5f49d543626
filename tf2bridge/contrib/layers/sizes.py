"""Sizes that must be known while the graph is built: channels, kernels and strides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf


def first_dimension(shape: Any, min_rank: int = 1) -> int:
    """Returns the size of the first dimension. Raises ValueError if it is unknown or the rank below `min_rank`."""
    return _dimension(shape, 0, min_rank)


def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """Returns the size of the last dimension. Raises ValueError if it is unknown or the rank below `min_rank`."""
    return _dimension(shape, -1, min_rank)


def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """Returns the number of channels of "channels_first" or "channels_last". Raises ValueError as the others do."""
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Returns (height, width) of one number for both, two numbers, or a shape of rank 2. Raises ValueError."""
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, list | tuple | tf.TensorShape) and len(int_or_tuple) == 2:
        first, second = int_or_tuple
        return int(first), int(second)
    raise ValueError(f"give one int, two of them or a shape of rank 2, not {int_or_tuple!r}")


def n_positive_integers(n: Any, value: Any) -> tuple[int, ...]:
    """Returns `n` positive integers: those of a sequence, or one number `n` times. Raises ValueError."""
    if int(n) < 1 or int(n) != n:
        raise ValueError(f"n must be a positive integer, not {n!r}")
    try:
        values = (int(value),) * int(n)
    except (TypeError, ValueError):
        if len(value) != n:
            raise ValueError(f"expected {n} positive integers, not {value!r}") from None
        try:
            values = tuple(int(each) for each in value)
        except (TypeError, ValueError):
            raise ValueError(f"expected {n} positive integers, not {value!r}") from None
    if min(values) < 1:
        raise ValueError(f"expected positive integers, not {min(values)}")
    return values


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """Returns the collections for the variable `name`: a dict holds those of each variable, else all have the same."""
    if isinstance(variables_collections, Mapping):
        return variables_collections.get(name)
    return variables_collections


def _dimension(shape: Any, index: int, min_rank: int) -> int:
    if shape.rank is None:
        raise ValueError("the rank of the shape is not known; set it with set_shape")
    if shape.rank < min_rank:
        raise ValueError(f"the shape {shape} has the rank {shape.rank}, not at least {min_rank}")
    size = shape.as_list()[index]
    if size is None:
        raise ValueError(f"dimension {index} of the shape {shape} is not known; set it with set_shape")
    return int(size)
