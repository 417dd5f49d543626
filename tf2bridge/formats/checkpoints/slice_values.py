"""Reads the values of a slice in a V1 checkpoint: fields of a TensorProto, found in the file and read in pieces.

A value of the table is a SavedTensorSlices (core/util/saved_tensor_slice.proto). core/util/saved_tensor_slice_util.h
gives the field of the TensorProto for each type. Floats are stored as in memory, integers as varints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.formats.checkpoints.wire import varint
from tf2bridge.formats.dtypes import STRING, item_bytes, numpy_type

_TO_VALUES = (2, 3)
"""SavedTensorSlices.data, SavedSlice.data."""
_TEXTS = 8
_AS_IN_MEMORY = {"float32": 5, "float64": 6, "complex64": 9, "complex128": 12}
_AS_VARINTS = {"float16": 13, "bfloat16": 13, "int64": 10, "bool": 11, "uint32": 16, "uint64": 17}
_INT = 7
_LONGEST_HEAD = 20
_WINDOW = 4096
"""Bytes that are read at once to find fields: short ones follow one another."""
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5

Read = Callable[[int, int], Iterator[bytes]]
"""Offset and size within the stored message -> its bytes, in pieces."""


@dataclass(frozen=True)
class Field:
    """The place of one occurrence of a field of the TensorProto in the stored message."""

    number: int
    offset: int
    size: int


def least_bytes(kind: str) -> int:
    """Returns the least bytes of an element of a type: those in memory, or one for a varint or a text."""
    return item_bytes(kind) or 1 if kind in _AS_IN_MEMORY else 1 if item_bytes(kind) or kind == STRING else 0


def value_fields(read: Read, size: int) -> Iterator[Field]:
    """Returns the fields of the TensorProto in a stored message. Raises ValueError for another message."""
    start, end = 0, size
    for wanted in _TO_VALUES:
        last = None
        for field in _fields(read, start, end):
            last = field if field.number == wanted else last
        if last is None:
            return  # a message without fields, as of a slice without elements, is not written
        start, end = last.offset, last.offset + last.size
    yield from _fields(read, start, end)


def values(read: Read, fields: Iterator[Field], kind: str) -> Iterator[bytes | memoryview]:
    """Yields numbers of type `kind` in pieces, as their bytes in memory. Raises ValueError."""
    if kind in _AS_IN_MEMORY:
        for field in fields:
            if field.number == _AS_IN_MEMORY[kind]:
                yield from read(field.offset, field.size)
        return
    number = _AS_VARINTS.get(kind, _INT)
    for field in fields:
        if field.number == number:
            for numbers in _varints(read(field.offset, field.size)):
                yield _as_type(numbers, kind).data.cast("B")


def text_values(read: Read, fields: Iterator[Field]) -> list[bytes]:
    """Returns the values of a tensor of strings."""
    return [b"".join(read(field.offset, field.size)) for field in fields if field.number == _TEXTS]


def _as_type(numbers: NDArray[np.uint64], kind: str) -> NDArray[Any]:
    """Converts varints to `kind`. Halves are stored as the integers of their bits, negative ones in 64 bits."""
    if kind in ("float16", "bfloat16"):
        return numbers.astype(np.uint16)
    if kind == "bool":
        numbers, kind = (numbers != 0).astype(np.uint64), "uint8"
    typed: NDArray[Any] = numbers.astype(numpy_type(kind)).view(np.uint8)
    return typed


def _fields(read: Read, start: int, end: int) -> Iterator[Field]:
    """Yields the fields of the message between two places."""
    first, window = start, b""
    while start < end:
        head = window[start - first : start - first + _LONGEST_HEAD]
        if len(head) < min(_LONGEST_HEAD, end - start):
            first, window = start, b"".join(read(start, min(_WINDOW, end - start)))
            head = window[:_LONGEST_HEAD]
        tag, used = varint(head, 0)
        wire = tag & 7
        size = {_EIGHT: 8, _FOUR: 4}.get(wire, 0)
        if wire in (_BYTES, _VARINT):
            number, after = varint(head, used)
            size, used = (number, after) if wire == _BYTES else (after - used, used)
        elif not size:
            raise ValueError(f"a field of unknown kind {wire} at byte {start}")
        start += used
        if start + size > end:
            raise ValueError(f"a field at byte {start} leads out of its message")
        yield Field(tag >> 3, start, size)
        start += size


def _varints(pieces: Iterator[bytes]) -> Iterator[NDArray[np.uint64]]:
    """Yields the numbers of a run of varints, some thousands at a time."""
    remainder = b""
    for piece in pieces:
        for at in range(0, len(piece), _AT_ONCE):
            data = np.frombuffer(remainder + piece[at : at + _AT_ONCE], np.uint8)
            ends = np.flatnonzero(data < 0x80)
            complete = int(ends[-1]) + 1 if len(ends) else 0
            remainder = data[complete:].tobytes()
            if len(remainder) > _LONGEST_HEAD:
                raise ValueError("a number does not end")
            if complete:
                yield _numbers(data[:complete], ends)
    if remainder:
        raise ValueError("the last number does not end")


_AT_ONCE = 1 << 18
"""Bytes of varints that are decoded together: each becomes eight bytes a few times over."""


def _numbers(data: NDArray[np.uint8], ends: NDArray[np.intp]) -> NDArray[np.uint64]:
    starts = np.concatenate(([0], ends[:-1] + 1))
    if int(np.max(ends - starts)) > 9:
        raise ValueError("a number of more than ten bytes")
    place = np.arange(len(data)) - np.repeat(starts, ends - starts + 1)
    shifted = (data & np.uint8(0x7F)).astype(np.uint64) << (7 * place).astype(np.uint64)
    numbers: NDArray[np.uint64] = np.add.reduceat(shifted, starts)
    return numbers
