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
    return _plain_text(value, dtype)


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
