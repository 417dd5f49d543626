"""Turns values into arrays of types that npy supports, and into the bytes of npy files."""

import struct
import traceback
import zlib

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

TEXTS = (bytes, str, type(b"".decode("ascii")))  # Python 2 has a type of its own for text
_NAMES, _HEADERS = {}, {}  # type: dict[Any, str], dict[Any, bytes]  # known ones
_SUMMED = 1 << 13  # bytes from which on a sum takes less time than a CRC-32
_ALIGNED = 64  # npy format 1.0: data begin at a multiple of it


def encode(value):
    # type: (Any) -> tuple[str, str, tuple[int, ...], list[Any]]
    """Returns (kind, dtype, shape, npy arrays with the value). Raises TypeError for a value that is not a tensor."""
    array = np.asarray(value, dtype=object if isinstance(value, TEXTS) else None, order="C")
    dtype, shape = array.dtype, tuple([int(n) for n in array.shape])
    if dtype not in _NAMES:
        _NAMES[dtype] = dtype.name if dtype.kind in "biufc" and dtype.isbuiltin == 1 else ""
    if _NAMES[dtype]:
        return "array", _NAMES[dtype], shape, [array]
    if dtype.kind in "OSU":
        strings = [_as_bytes(item) for item in array.ravel()]
        offsets = np.cumsum([0] + [len(item) for item in strings]).astype(np.int64)
        return "string", "string", shape, [np.frombuffer(b"".join(strings), np.uint8), offsets]
    return "raw", dtype.names[0] if dtype.names else dtype.name, shape, [np.frombuffer(array.tobytes(), np.uint8)]


def _as_bytes(item):
    # type: (Any) -> bytes
    if isinstance(item, bytes):
        return item
    if isinstance(item, TEXTS):
        return as_text(item).encode("utf-8")
    raise TypeError("a value of type %s is no tensor" % type(item).__name__)


def npy(array):
    # type: (Any) -> tuple[bytes, Any]
    """Returns the header and the data of an npy file of format 1.0, numpy/lib/format.py."""
    key = array.dtype.str, array.shape
    if key not in _HEADERS:
        _HEADERS[key] = _header(*key)
    return _HEADERS[key], array.reshape(-1).view(np.uint8).data if array.nbytes else b""


def _header(dtype, shape):
    # type: (str, tuple[int, ...]) -> bytes
    sizes = ", ".join(["%d" % n for n in shape]) + ("," if len(shape) == 1 else "")
    fields = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (dtype, sizes)
    padded = fields + " " * (-(len(fields) + 11) % _ALIGNED) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded.encode("ascii")


def check_of(parts):
    # type: (list[Any]) -> tuple[str, int]
    """Returns the name and the value of the checksum of a member, given as buffers.

    "crc32"; for many bytes "sum64": the sum of the bytes as little-endian 64-bit numbers, padded with zeros, modulo
    2**64. It also finds any single flipped bit, in a tenth of the time.
    """
    if sum([len(part) for part in parts]) <= _SUMMED:
        crc = 0
        for part in parts:
            crc = zlib.crc32(part, crc)
        return "crc32", crc & 0xFFFFFFFF
    if any([len(part) % 8 for part in parts[:-1]]):
        parts = [b"".join([bytes(part) for part in parts])]
    total = 0
    for part in parts:
        even = len(part) - len(part) % 8
        if even:
            total += int(np.add.reduce(np.frombuffer(part, "<u8", even // 8), dtype=np.uint64))
        total += sum([byte << 8 * place for place, byte in enumerate(bytearray(part[even:]))])
    return "sum64", total % (1 << 64)


def as_text(item):
    # type: (Any) -> str
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else "%s" % (item,)


def describe(problem):
    # type: (BaseException) -> str
    """Returns an exception as one line."""
    return as_text(traceback.format_exception_only(type(problem), problem)[-1]).split("\n")[0]
