"""Translates between the types of TensorFlow and NumPy, by one table."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import prod
from typing import TYPE_CHECKING, Any

from tf2bridge.formats.messages import type_bytes, type_name
from tf2bridge.formats.refusals import UnsupportedTypeError

if TYPE_CHECKING:  # NumPy takes longer to import than thousands of names to be read
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

STRING = "string"
_WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_NUMBERS = frozenset(("bool", *_WHOLE, "float16", "float32", "float64", "complex64", "complex128"))
_QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
_FLOATS = ("float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz")
_SMALL = {"bfloat16": 2} | dict.fromkeys((*_FLOATS, "int4", "uint4"), 1)
"""Those that NumPy has by ml_dtypes, under TensorFlow's names -> bytes; a 4-bit number takes one, in a file too."""


@functools.cache
def numpy_type(name: str) -> np.dtype[Any]:
    """Returns the dtype of an array of values that TensorFlow calls `name`; that of quantized ones is their integers'.

    "string" is object: an array of `bytes`. Raises UnsupportedTypeError for "resource", "variant" and unknown ones.
    """
    import numpy as np

    if name == STRING:
        return np.dtype(object)
    if name in _NUMBERS or name in _QUANTIZED:
        return np.dtype(_QUANTIZED.get(name, name))
    if name in _SMALL:
        import ml_dtypes

        dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
        return dtype
    raise UnsupportedTypeError(name, "of TensorFlow has no values that NumPy can hold")


@functools.cache
def item_bytes(name: str) -> int | None:
    """Returns the size of an element in a file, or None if it is not fixed: "string", "variant", "resource"."""
    return _SMALL.get(name) or _sizes().get(name)


def array_of(pieces: Iterator[bytes | memoryview], shape: Sequence[int], kind: str) -> NDArray[Any]:
    """Returns the array of this shape and type from its bytes in pieces, little-endian, in row-major order."""
    import numpy as np

    first = list(islice(pieces, 1))  # what refuses the tensor, and says its name, comes before memory
    array = np.empty(prod(shape), numpy_type(kind))
    memory, done = array.view(np.uint8), 0
    for piece in chain(first, pieces):
        memory[done : done + len(piece)] = np.frombuffer(piece, np.uint8)
        done += len(piece)
    return array.reshape(tuple(shape))


def tensorflow_type(dtype: DTypeLike) -> str:
    """Returns what TensorFlow calls the values of an array. Raises UnsupportedTypeError for dates, records and such."""
    import numpy as np

    numpy_dtype = np.dtype(dtype)
    if numpy_dtype.kind in "OSU":
        return STRING
    if numpy_dtype.name in _NUMBERS or numpy_dtype.name in _SMALL:
        return str(numpy_dtype.name)
    raise UnsupportedTypeError(str(numpy_dtype), "of NumPy is none of TensorFlow's")


@functools.cache
def _sizes() -> dict[str, int | None]:
    return {type_name(number): type_bytes(number) for number in range(1, 64)}
