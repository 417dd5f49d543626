"""The numbers inside a serialized `Summary`, read from the wire format, so that no TensorFlow is needed.

Field numbers: tensorflow/core/framework/summary.proto (Summary.Value: tag 1, simple_value 2, image 4, histo 5;
Summary.Image: height 1, width 2, colorspace 3) and
tensorflow/tsl/protobuf/histogram.proto (HistogramProto: min 1, max 2, num 3, sum 4, sum_squares 5; its buckets are left
out: a value that rounding moves over the edge of one changes two counts).
Wire types: https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_TAG, _SIMPLE_VALUE, _IMAGE, _HISTOGRAM = 1, 2, 4, 5
_SIZES = (1, 2, 3)
_STATISTICS = (1, 2, 3, 4, 5)


def numbers_of(message: bytes, with_images: bool = False) -> dict[str, np.ndarray[Any, Any]] | None:
    """Returns {tag: numbers} of a serialized Summary of scalars and histograms, or None if it is anything else.

    Args:
        message: The Summary.
        with_images: Whether it may have images: the numbers of one are its height, width and number of channels.
    """
    try:
        values = [dict(_fields(body)) for number, body in _fields(message) if number == 1]
        if not values or any(number != 1 for number, _ in _fields(message)):
            return None
        return {value[_TAG].decode(): _value(value, with_images) for value in values}
    except (KeyError, IndexError, ValueError, AttributeError, TypeError, struct.error):
        return None


def _value(fields: dict[int, Any], with_images: bool) -> np.ndarray[Any, Any]:
    if with_images and _IMAGE in fields:
        image = dict(_fields(fields[_IMAGE]))
        return np.asarray([image.get(field, 0) for field in _SIZES], np.float64)
    if _SIMPLE_VALUE in fields:
        return np.asarray(struct.unpack("<f", fields[_SIMPLE_VALUE]), np.float64)
    return _statistics(dict(_fields(fields[_HISTOGRAM])))


def _statistics(fields: dict[int, Any]) -> np.ndarray[Any, Any]:
    """Returns least, largest, number, mean plus twice the root mean square, mean square; 0 of no field (proto3).

    Means, since the two sums grow with the number of values, and so does what rounding does to them. A mean may cancel
    to nearly 0, as that of gradients, and has the rounding of what it is of: so it is held at the size of these.
    """
    least, largest, number, total, squares = (
        struct.unpack("<d", fields[field])[0] if field in fields else 0.0 for field in _STATISTICS
    )
    count = max(number, 1.0)
    size = math.sqrt(max(squares, 0.0) / count)
    return np.asarray([least, largest, number, total / count + 2 * size, squares / count], np.float64)


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Yields (field number, raw content) of a message, varints as integers."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError(f"wire type {kind}")
        if at + size > len(message):
            raise ValueError("cut short")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("varint too long")
