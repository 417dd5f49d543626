"""The header of an array in NumPy's format, read and checked before memory is taken for the array."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy_format

from tf2bridge.formats.sizes import elements

LONGEST = 16 << 10
"""The most bytes of a header; NumPy itself reads at most 10,000."""
_TEXT = re.compile(rb"[\w\s'\"{}()\[\],:<>|=]*")
"""The characters of a header for numbers.

NumPy evaluates the header as an expression, which other characters could nest without a limit.
"""
_MOST_BRACKETS = 100
_Reader = Callable[[BytesIO], tuple[tuple[int, ...], bool, np.dtype[Any]]]
"""NumPy 2.2 states no types for its readers of a header."""


class UnknownVersionError(Exception):
    """The header is of a version that is not read."""


@dataclass(frozen=True)
class Header:
    """The facts in the header about its array."""

    shape: tuple[int, ...]
    fortran: bool
    """Whether the first dimension is the fastest."""
    dtype: np.dtype[Any]
    offset: int
    """Bytes of the header: the values follow."""

    @property
    def count(self) -> int:
        """The number of values in the array."""
        return elements(self.shape)


def header_of(beginning: bytes) -> Header:
    """Returns the header in the first LONGEST bytes of an array.

    Raises ValueError for none, or for a shape or type that no array has, and UnknownVersionError.
    """
    file = BytesIO(beginning)
    version = npy_format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise UnknownVersionError(f"its format is version {version}")
    width = 2 if version == (1, 0) else 4
    start = file.tell() + width
    text = beginning[start : start + int.from_bytes(beginning[file.tell() : start], "little")]
    if not _TEXT.fullmatch(text) or sum(map(text.count, (b"(", b"[", b"{"))) > _MOST_BRACKETS:
        raise ValueError("its header is none of an array of numbers or texts")
    read: _Reader = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
    try:
        shape, fortran, dtype = read(file)
    except (SyntaxError, TokenError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"its header cannot be read ({type(error).__name__})") from error
    if not dtype.itemsize or not all(type(size) is int for size in shape):  # NumPy takes True for a size
        raise ValueError(f"{shape} is no shape of {dtype}")
    elements(shape, dtype.itemsize)
    return Header(tuple(shape), bool(fortran), dtype, file.tell())


def array_in(content: bytes) -> np.ndarray[Any, Any]:
    """Returns the array that is stored as `content`. Raises ValueError and UnknownVersionError; objects are refused."""
    header = header_of(content[:LONGEST])
    if header.dtype.hasobject:
        raise ValueError("it holds Python objects, which are not read")
    if header.offset + header.count * header.dtype.itemsize != len(content):
        raise ValueError(f"{len(content) - header.offset:,} bytes are not {header.dtype} of shape {list(header.shape)}")
    flat = np.frombuffer(content, header.dtype, header.count, header.offset)
    return flat.reshape(header.shape, order="F" if header.fortran else "C").copy(order="K")
