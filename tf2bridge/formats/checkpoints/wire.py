"""Encode and decode the numbers and keys of TensorFlow's files: varints, and keys whose bytes sort like values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_HEADERS = (0x0000, 0x8000, 0xC000, 0xE000, 0xF000, 0xF800, 0xFC00, 0xFE00, 0xFF00, 0xFF80, 0xFFC0)
"""How the bytes of a signed number begin, by how many they are (core/lib/strings/ordered_code.cc)."""

Slice = tuple[tuple[int, int], ...]
"""Where a slice of a tensor begins and how long it is in each dimension; a length of -1 is all of it."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Returns the varint that begins at a byte, and the place of its end. Raises ValueError if it has no end."""
    number = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError(f"a number at byte {at} does not end")
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7


def written_varint(number: int) -> bytes:
    """Returns a number as a varint."""
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def slice_of(proto: Any) -> Slice:
    """Returns the slice of a TensorSliceProto."""
    return tuple((extent.start, extent.length if extent.HasField("length") else -1) for extent in proto.extent)


def slice_key(name: str, part: Slice) -> bytes:
    """Returns the key of a slice's data (EncodeTensorNameSlice of core/util/saved_tensor_slice_util.cc)."""
    text = name.encode("utf-8").replace(b"\xff", b"\xff\x00").replace(b"\x00", b"\x00\xff")
    numbers = b"".join(_signed(start) + _signed(length) for start, length in part)
    return _unsigned(0) + text + b"\x00\x01" + _unsigned(len(part)) + numbers


def lengths(part: Slice, shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape of a slice of a tensor."""
    return tuple(size if length < 0 else length for (_, length), size in zip(part, shape, strict=True))


def _unsigned(number: int) -> bytes:
    digits = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes([len(digits)]) + digits


def _signed(number: int) -> bytes:
    bits = (~number if number < 0 else number).bit_length()
    length = bits // 7 + 1
    if length == 1:
        return bytes([(0x80 ^ number) & 0xFF])
    # The number with its sign in `length` bytes. The first two change, so that longer numbers sort after shorter ones.
    data = bytearray(number.to_bytes(10, "big", signed=True)[-length:])
    data[0] ^= _HEADERS[length] >> 8
    data[1] ^= _HEADERS[length] & 0xFF
    return bytes(data)
