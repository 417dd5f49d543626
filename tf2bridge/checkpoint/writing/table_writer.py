"""Writes leveldb tables as TensorFlow does, byte for byte: the index of a V2 checkpoint.

The format and its choices are those of core/lib/io/{table_builder,block_builder,format}.cc, as BundleWriter uses them
(core/util/tensor_bundle/tensor_bundle.cc): uncompressed blocks of 256 KiB.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from tf2bridge.formats.checkpoints.checksums import extended, masked
from tf2bridge.formats.checkpoints.wire import written_varint
from tf2bridge.formats.kinds import TABLE_MAGIC

_BLOCK = 256 << 10
"""Bytes after which a block is full (core/lib/io/table_options.h)."""
_RESTART = 16
"""The number of entries after which a block has a complete key again."""
_HANDLES = 40
"""Bytes of the footer that say where two blocks are."""
_PLAIN = b"\x00"


class _Block:
    """A block that is being filled. Each key is stored without the bytes that it shares with the key before."""

    def __init__(self, restart: int) -> None:
        self._restart = restart
        self._data, self._restarts, self._count, self.last = bytearray(), [0], 0, b""

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self._count < self._restart:
            shared = _shared(self.last, key)
        else:
            self._restarts.append(len(self._data))
            self._count = 0
        for number in (shared, len(key) - shared, len(value)):
            self._data += written_varint(number)
        self._data += key[shared:] + value
        self.last = key
        self._count += 1

    @property
    def size(self) -> int:
        return len(self._data) + 4 * len(self._restarts) + 4 if self._data else 0

    def content(self) -> bytes:
        numbers = (*self._restarts, len(self._restarts))
        return bytes(self._data) + b"".join(number.to_bytes(4, "little") for number in numbers)


def write_table(file: BinaryIO, entries: Iterable[tuple[bytes, bytes]]) -> None:
    """Writes keys and values, sorted by the bytes of the keys, each key once.

    Raises:
        ValueError: A key does not follow the key before.
        OSError: The file cannot be written.
    """
    index, block = _Block(restart=1), _Block(_RESTART)
    at, pending = 0, b""
    for key, value in entries:
        if block.last >= key and block.size:
            raise ValueError(f"the key {key!r} does not follow {block.last!r}")
        if pending:
            index.add(_separator(block.last, key), pending)
            block, pending = _Block(_RESTART), b""
        block.add(key, value)
        if block.size >= _BLOCK:
            at, pending = _written(file, at, block)
    if block.size and not pending:
        at, pending = _written(file, at, block)
    at, meta = _written(file, at, _Block(_RESTART))
    if pending:
        index.add(_successor(block.last), pending)
    _, place = _written(file, at, index)
    file.write((meta + place).ljust(_HANDLES, b"\x00") + TABLE_MAGIC)


def _written(file: BinaryIO, at: int, block: _Block) -> tuple[int, bytes]:
    """Writes a block at a position of the file; returns where the block ends, and its handle."""
    content = block.content()
    crc = masked(extended(extended(0, content), _PLAIN))
    file.write(content + _PLAIN + crc.to_bytes(4, "little"))
    return at + len(content) + 5, written_varint(at) + written_varint(len(content))


def _shared(key: bytes, next_key: bytes) -> int:
    """Returns how many leading bytes two keys share."""
    count = min(len(key), len(next_key))
    differences = int.from_bytes(key[:count], "big") ^ int.from_bytes(next_key[:count], "big")
    return count - (differences.bit_length() + 7) // 8


def _separator(key: bytes, next_key: bytes) -> bytes:
    """Returns a short key >= `key` and < `next_key` (FindShortestSeparator in core/lib/io/table_builder.cc)."""
    at = _shared(key, next_key)
    if at < min(len(key), len(next_key)) and key[at] < 0xFF and key[at] + 1 < next_key[at]:
        return key[:at] + bytes([key[at] + 1])
    return key


def _successor(key: bytes) -> bytes:
    """Returns a short key >= `key` (FindShortSuccessor in the same file)."""
    for at, byte in enumerate(key):
        if byte != 0xFF:
            return key[:at] + bytes([byte + 1])
    return key
