"""Reads leveldb tables of sorted keys and values: the index of a V2 checkpoint, or a file of a V1 checkpoint.

The format is that of core/lib/io/{format,block,table}.h. Every block that is read is checked against its CRC-32C.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from tf2bridge.formats.checkpoints.checksums import extended, masked, read_pieces
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.stored import PIECE
from tf2bridge.formats.checkpoints.wire import varint
from tf2bridge.formats.kinds import TABLE_MAGIC
from tf2bridge.regular_files import opened

FOOTER = 48
"""Bytes: where the two blocks of the end are, filled up to 40, and the magic number."""
TRAILER = 5
"""Bytes behind a block: how it is compressed, and the masked CRC of the block with that."""
_PLAIN, _SNAPPY = 0, 1
_MOST_KEYS = 1 << 20
"""Of a table: a checkpoint of a million tensors and slices. TensorFlow's own models have thousands."""
_LONGEST_KEYS = 32
"""How many times as long as their block all its keys may be: a writer repeats the whole key every 16 entries."""


@dataclass(frozen=True, slots=True)
class Value:
    """The place of a value in the file."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class _Block:
    offset: int
    size: int


class Table:
    """An open table. Raises DamagedCheckpointError, and UnsupportedCheckpointError for a compressed table."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = opened(path)
        try:
            self._length = self._file.seek(0, 2)
            self._blocks: list[_Block] = []
            self._lasts: list[bytes] = []
            self._checked: set[int] = set()
            self._places: dict[int, dict[bytes, Value]] = {}
            self._placed = 0
            self._read_footer()
        except BaseException:
            self._file.close()
            raise

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """Yields all keys with their values, in order, for a table of small values."""
        last, count = None, 0
        for block in self._blocks:
            data = self._content(block)
            for key, start, size in self._entries(data, block):
                count += 1
                if count > _MOST_KEYS:
                    raise self._many()
                if last is not None and key <= last:
                    raise self._damaged(f"the key {key[:80]!r} does not follow {last[:80]!r}")
                last = key
                yield key, bytes(data[start : start + size])

    def find(self, key: bytes) -> Value | None:
        """Returns the place of a key's value, in a checked block, or None if the key does not exist."""
        place = bisect_left(self._lasts, key)
        if place == len(self._blocks):
            return None
        return self._places_of(self._blocks[place]).get(key)

    def read(self, value: Value) -> bytes:
        """Returns the bytes of a value."""
        return b"".join(read_pieces(self._file, value.offset, value.size))

    def _places_of(self, block: _Block) -> dict[bytes, Value]:
        """Returns key -> value of a block. The block is read and checked once for all its keys."""
        if block.offset not in self._places:
            entries = self._entries(self._content(block), block)
            self._places[block.offset] = {key: Value(block.offset + start, size) for key, start, size in entries}
            self._placed += len(self._places[block.offset])
            if self._placed > _MOST_KEYS:
                raise self._many()
        return self._places[block.offset]

    @property
    def file(self) -> FileIO:
        """Returns a function that reads pieces of a value, from a block that `find` has checked."""
        return self._file

    def close(self) -> None:
        """Closes the file of the table."""
        self._file.close()

    def _read_footer(self) -> None:
        if self._length < FOOTER:
            raise self._damaged(f"it has {self._length:,} bytes, too few for a checkpoint: it is cut off")
        footer = b"".join(read_pieces(self._file, self._length - FOOTER, FOOTER))
        if not footer.endswith(TABLE_MAGIC):
            raise self._damaged("its last bytes are not those of a table: it is cut off, or no checkpoint")
        try:
            meta, at = self._handle(footer, 0)
            index, _ = self._handle(footer, at)
            self._content(meta)
            data = self._content(index)
            for key, start, size in self._entries(data, index):
                block = self._handle(bytes(data[start : start + size]), 0)[0]
                if self._blocks and block.offset < self._blocks[-1].offset + self._blocks[-1].size:
                    raise ValueError(f"the block at byte {block.offset} lies over the one before")
                self._lasts.append(key)
                self._blocks.append(block)
                if len(self._blocks) > _MOST_KEYS:
                    raise self._many()
        except ValueError as error:
            raise self._damaged(f"its index of blocks is damaged: {error}") from error

    def _handle(self, data: bytes, at: int) -> tuple[_Block, int]:
        offset, at = varint(data, at)
        size, at = varint(data, at)
        if offset + size + TRAILER > self._length - FOOTER:
            raise ValueError(f"a block of {size} bytes at byte {offset} would not end before the footer")
        return _Block(offset, size), at

    def _content(self, block: _Block) -> Any:
        """Returns the checked bytes of a block; for a large block, a view that reads on demand."""
        if block.size > PIECE:
            if block.offset not in self._checked:
                self._check(block, read_pieces(self._file, block.offset, block.size + TRAILER))
            return _View(self._file, block)
        data = b"".join(read_pieces(self._file, block.offset, block.size + TRAILER))
        if block.offset not in self._checked:
            self._check(block, iter((data,)))
        return data[: block.size]

    def _check(self, block: _Block, pieces: Iterator[bytes]) -> None:
        crc, left, end = 0, block.size + 1, b""
        for piece in pieces:
            crc = extended(crc, piece[:left])
            left -= min(left, len(piece))
            end = (end + piece[-TRAILER:])[-TRAILER:]
        if masked(crc) != int.from_bytes(end[1:], "little"):
            raise self._damaged(f"the block at byte {block.offset:,} is damaged: its checksum is another")
        if end[0] != _PLAIN:
            how = "snappy" if end[0] == _SNAPPY else f"method {end[0]}"
            remedy = "write it again with TensorFlow, whose own Saver never compresses"
            raise UnsupportedCheckpointError(self.path, f"its blocks are compressed ({how})", remedy)
        self._checked.add(block.offset)

    def _entries(self, data: Any, block: _Block) -> Iterator[tuple[bytes, int, int]]:
        """Yields the keys of a block, with where in it each value begins, and its size."""
        try:
            yield from _entries(data, _end_of_entries(data))
        except (ValueError, IndexError) as error:
            raise self._damaged(f"the block at byte {block.offset:,} is damaged: {error}") from error

    def _many(self) -> UnsupportedCheckpointError:
        remedy = "save it again in several checkpoints of fewer tensors"
        return UnsupportedCheckpointError(self.path, f"it has more than {_MOST_KEYS:,} keys, the most read", remedy)

    def _damaged(self, why: str) -> DamagedCheckpointError:
        return DamagedCheckpointError(self.path, why)


class _View:
    """A large block, of which what is asked for is read: bytes and short slices from a window that moves along."""

    _WINDOW = 1 << 16

    def __init__(self, file: FileIO, block: _Block) -> None:
        self._file, self._block = file, block
        self._first, self._held = 0, b""

    def __len__(self) -> int:
        return self._block.size

    def __getitem__(self, where: int | slice) -> int | bytes:
        start, stop, _ = where.indices(len(self)) if isinstance(where, slice) else (where, where + 1, 1)
        if start >= self._first and stop <= self._first + len(self._held):
            data = self._held[start - self._first : stop - self._first]
        elif stop - start > self._WINDOW:
            return self._read(start, stop)
        else:
            self._first, self._held = start, self._read(start, min(len(self), start + self._WINDOW))
            data = self._held[: max(0, stop - start)]
        return data if isinstance(where, slice) else data[0]

    def _read(self, start: int, stop: int) -> bytes:
        return b"".join(read_pieces(self._file, self._block.offset + start, max(0, stop - start)))


def _end_of_entries(data: Any) -> int:
    """Returns where the entries of a block end, and the list of its restart points begins."""
    if len(data) < 4:
        raise ValueError("it has no list of restart points")
    end = len(data) - 4 - 4 * int.from_bytes(data[len(data) - 4 : len(data)], "little")
    if end < 0:
        raise ValueError("its list of restart points is longer than the block")
    return end


def _entries(data: Any, end: int) -> Iterator[tuple[bytes, int, int]]:
    key, at = b"", 0
    most = _LONGEST_KEYS * len(data) + 1024
    while at < end:
        shared, rest, size = data[at], data[at + 1], data[at + 2]
        if (shared | rest | size) < 0x80:  # each in one byte
            at += 3
        else:
            head = data[at : min(at + 30, end)]
            shared, used = varint(head, 0)
            rest, used = varint(head, used)
            size, used = varint(head, used)
            at += used
            most -= shared  # of the fast way above it is less than 128 bytes for each three of the block
            if most < 0:
                raise ValueError("its keys are longer together than any writer makes them")
        if shared > len(key) or at + rest + size > end:
            raise ValueError(f"an entry at byte {at} leads out of it")
        key = key[:shared] + data[at : at + rest]
        at += rest
        yield key, at, size
        at += size
