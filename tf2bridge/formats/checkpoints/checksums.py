"""Computes the masked CRC-32C of TensorFlow's files, and reads files in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from io import FileIO

import google_crc32c

from tf2bridge import systems
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.checkpoints.stored import PIECE

_DELTA = 0xA282EAD8
"""core/lib/hash/crc32c.h: a CRC of data that itself holds CRCs is stored rotated, with this added."""


def extended(crc: int, data: bytes | bytearray | memoryview) -> int:
    """Returns the CRC-32C of earlier bytes, whose CRC is `crc`, followed by `data`. At the start `crc` is 0."""
    if isinstance(data, bytes):
        return int(google_crc32c.extend(crc, data))
    import numpy as np

    # google_crc32c takes no bytearray and no memoryview, but an array over the same memory.
    return int(google_crc32c.extend(crc, np.frombuffer(data, np.uint8)))


def masked(crc: int) -> int:
    """Returns a CRC-32C as files store it."""
    return ((crc >> 15 | crc << 17) + _DELTA) & 0xFFFFFFFF


def read_pieces(file: FileIO, offset: int, size: int) -> Iterator[bytes]:
    """Yields the bytes of a file from `offset` on, at most PIECE at a time. Raises DamagedCheckpointError."""
    end = offset + size
    while offset < end:
        piece = systems.read_at(file, min(PIECE, end - offset), offset)
        if not piece:
            raise _cut_off(file, offset, end)
        offset += len(piece)
        yield piece


def read_into(file: FileIO, offset: int, memory: memoryview) -> None:
    """Fills memory with the bytes of a file from `offset` on. Raises DamagedCheckpointError."""
    done = 0
    while done < len(memory):
        count = systems.read_into(file, memory[done:], offset + done)
        if not count:
            raise _cut_off(file, offset + done, offset + len(memory))
        done += count


def _cut_off(file: FileIO, offset: int, end: int) -> DamagedCheckpointError:
    return DamagedCheckpointError(str(file.name), f"it ends at byte {offset:,}, before byte {end:,}: it is cut off")
