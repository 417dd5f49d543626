"""The expressions of constant tensors and of shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.ir import Spec

LONGEST_INLINE = 40
"""Columns of a constant that stands within another expression."""
_NATURAL = (tf.float32, tf.int32, tf.bool, tf.string)
"""Types that `tf.constant` gives to Python's own values."""
_LOWER, _UPPER, _UNIT = "lower", "upper", "unit"
_FEWEST_ROWS = 4
"""Rows of a matrix that is written by a rule."""
_FEWEST = 9
"""Elements of a row that is written by a rule instead of one by one."""


def shape_text(spec: Spec) -> str:
    """Returns the expression of a static shape."""
    return f"tf.TensorShape({literal(None if spec.shape is None else list(spec.shape))})"


def constant_text(value: Any, dtype: Any) -> str:
    """Returns the expression of a small constant tensor."""
    if dtype.is_quantized:
        numbers = value[value.dtype.names[0]]  # NumPy has these types as a record of one whole number
        return f"tf.bitcast({constant_text(numbers, tf.as_dtype(numbers.dtype))}, {literal(dtype)})"
    if value.size > 1 and value.dtype.kind in "fiub" and (value == value.flat[0]).all():
        filled = _filled_text(value, dtype)
        return filled if value.size > LONGEST_INLINE else min(filled, _plain_text(value, dtype), key=len)
    if bounds := range_of(value):
        kind = "" if dtype == tf.int32 else f", dtype={literal(dtype)}"
        return _of_shape(f"tf.range({', '.join(map(str, _shortest(*bounds)))}{kind})", value.shape, "tf.newaxis")
    return _one_hot_text(value, dtype) or _triangle_text(value, dtype) or _plain_text(value, dtype)


def _triangle_text(value: Any, dtype: Any) -> str | None:
    """Returns the expression of a triangle of ones, as a mask of later steps, or of a unit matrix; None for others."""
    kind = triangle_of(value)
    if kind is None:
        return None
    further = "" if dtype == tf.float32 else literal(dtype)
    if kind == _UNIT:
        axes = ", batch_shape=[1]" if value.ndim == 3 else ""
        return f"tf.eye({value.shape[-1]}{axes}{f', dtype={further}' if further else ''})"
    bounds = "-1, 0" if kind == _LOWER else "0, -1"
    return f"tf.linalg.band_part(tf.ones({list(value.shape)}{f', {further}' if further else ''}), {bounds})"


def keras_triangle_text(value: Any) -> str | None:
    """Returns the expression of such a matrix with `keras.ops`, or None for another array."""
    kind = triangle_of(value)
    if kind is None or (kind == _UNIT and value.ndim > 2):
        return None
    if kind == _UNIT:
        return f"keras.ops.eye({value.shape[-1]}, dtype={value.dtype.name!r})"
    function = "tril" if kind == _LOWER else "triu"
    return f"keras.ops.{function}(keras.ops.ones({list(value.shape)}, dtype={value.dtype.name!r}))"


def triangle_of(value: Any) -> str | None:
    """Returns what a matrix of ones and zeros is: a triangle with its diagonal, or a unit matrix; None for others.

    It may have further axes of size 1 before its own.
    """
    if value.ndim < 2 or value.dtype.kind not in "fi" or min(value.shape[-2:]) < _FEWEST_ROWS:
        return None
    matrix = value.reshape(value.shape[-2:]) if value.size == value.shape[-1] * value.shape[-2] else None
    if matrix is None:
        return None
    ones = np.ones_like(matrix)
    kinds = {_LOWER: np.tril(ones), _UPPER: np.triu(ones)}
    if value.ndim <= 3 and matrix.shape[0] == matrix.shape[1]:
        kinds[_UNIT] = np.eye(len(matrix), dtype=value.dtype)
    return next((kind for kind, other in kinds.items() if np.array_equal(matrix, other)), None)


def range_of(value: Any) -> tuple[int, int, int] | None:
    """Returns the start, the end and the step of an array that is one long row of evenly spaced whole numbers."""
    if value.dtype not in (np.int32, np.int64) or value.size < _FEWEST or value.size not in value.shape:
        return None
    row = value.reshape(-1)
    start, step = int(row[0]), int(row[1]) - int(row[0])
    is_even = step and np.array_equal(row, start + step * np.arange(row.size))
    return (start, start + step * row.size, step) if is_even else None


def keras_range_text(value: Any) -> str | None:
    """Returns the expression of such a row with `keras.ops`, or None for another array."""
    bounds = range_of(value)
    numbers = ", ".join(map(str, bounds or ()))
    return _of_shape(f"keras.ops.arange({numbers}, dtype={value.dtype.name!r})", value.shape) if bounds else None


def _shortest(start: int, end: int, step: int) -> list[int]:
    """Returns the arguments of `range` without those at their defaults."""
    if step != 1:
        return [start, end, step]
    return [start, end] if start else [end]


def _of_shape(row: str, shape: tuple[int, ...], new_axis: str = "None") -> str:
    """Returns the expression of a row that has further axes of size 1."""
    if len(shape) == 1:
        return row
    axes = [":" if size > 1 else new_axis for size in shape]
    return f"{row}[{', '.join(axes if axes[-1] != ':' else axes[:-1])}]"


def _one_hot_text(value: Any, dtype: Any) -> str | None:
    """Returns the expression of a long row whose numbers are all the same but one, or None for another array."""
    if value.dtype.kind not in "fi" or value.size < _FEWEST or value.shape[-1] != value.size:
        return None
    row = value.reshape(-1)
    usual = row[0] if row[0] in row[1:] else row[1]
    (others,) = np.nonzero(row != usual)
    if len(others) != 1:
        return None
    place = literal(np.full(value.shape[:-1], others[0]))
    kind = "" if dtype == tf.float32 else f", dtype={literal(dtype)}"
    numbers = f", {literal(row[others[0]])}, {literal(usual)}" if (row[others[0]], usual) != (1, 0) else ""
    return f"tf.one_hot({place}, {value.size}{numbers}{kind})"


def _filled_text(value: Any, dtype: Any) -> str:
    """Returns the expression of a constant tensor of equal elements."""
    number = value.flat[0]
    kind = "" if dtype == tf.float32 else f", {literal(dtype)}"
    if value.dtype.kind != "b" and (number == 1 or (number == 0 and not np.signbit(number))):
        return f"tf.{'ones' if number else 'zeros'}({list(value.shape)}{kind})"
    return f"tf.fill({list(value.shape)}, {constant_text(number, dtype)})"


def _plain_text(value: Any, dtype: Any) -> str:
    kind = "" if dtype in _NATURAL and value.size else f", {literal(dtype)}"
    shape = f", shape={list(value.shape)}" if not value.size else ""
    return f"tf.constant({literal(value)}{kind}{shape})"
