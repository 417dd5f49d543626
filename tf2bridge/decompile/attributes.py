"""Attributes of operations as Python values, and as the text of Python literals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

_LISTS = ("s", "i", "f", "b", "type", "shape", "tensor", "func")


def attribute_value(attribute: Any) -> Any:
    """Returns an `AttrValue` as a Python value.

    A type is a `tf.DType`, a shape a list with None for an unknown size, or None if the rank is unknown; a tensor is a
    NumPy array, a function the message `NameAttrList`, a text str, or bytes if it is not ASCII.
    """
    kind = attribute.WhichOneof("value")
    if kind == "type":
        return tf.as_dtype(attribute.type)
    if kind == "shape":
        return None if attribute.shape.unknown_rank else [None if d.size < 0 else d.size for d in attribute.shape.dim]
    if kind == "tensor":
        return tf.make_ndarray(attribute.tensor)
    if kind == "list":
        for field in _LISTS:
            if items := getattr(attribute.list, field):
                return [_item(type(attribute), field, item) for item in items]
        return []
    if kind == "s" and attribute.s.isascii():
        return attribute.s.decode()
    return getattr(attribute, kind) if kind else None


def _item(message: Any, field: str, item: Any) -> Any:
    if field in ("shape", "tensor", "func"):
        value = message()
        getattr(value, field).CopyFrom(item)
    else:
        value = message(**{field: item})
    return attribute_value(value)


def literal(value: Any) -> str:
    """Returns the Python expression for a value of an attribute, or for a small array as nested lists.

    Raises TypeError for a value that has no literal.
    """
    if isinstance(value, tf.DType):
        return f"tf.{value.name}"
    if isinstance(value, np.ndarray | np.generic):
        return literal(value.tolist())
    if isinstance(value, bool | int | bytes | str | type(None)):
        return repr(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, complex):
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    raise TypeError(f"{value!r} has no literal")


def _number(value: float) -> str:
    """Returns the shortest text that gives the same float32 if the value is one, else the same float64."""
    if not math.isfinite(value):
        return f'float("{value}")'
    single = np.float32(value) if abs(value) < 3e38 else np.float32(0)
    return repr(float(str(single))) if float(single) == value else repr(value)
