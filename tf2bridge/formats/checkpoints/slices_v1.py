"""V1 checkpoints, as `Saver` wrote them before 0.12 and on request since: tables of slices, in one file or several.

They have a checksum of each block of the table, and none of a tensor. The format is that of
core/util/saved_tensor_slice.proto, written by core/util/tensor_slice_writer.cc.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from tf2bridge.formats.checkpoints.checksums import read_pieces
from tf2bridge.formats.checkpoints.refusals import (
    DamagedCheckpointError,
    MissingShardError,
    MissingSliceError,
    UnsupportedCheckpointError,
)
from tf2bridge.formats.checkpoints.slice_values import Field, Read, least_bytes, text_values, value_fields, values
from tf2bridge.formats.checkpoints.slices import Part, gap, in_a_row, part_of, woven
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo
from tf2bridge.formats.checkpoints.table import Table, Value
from tf2bridge.formats.checkpoints.wire import slice_key, slice_of
from tf2bridge.formats.dtypes import STRING, array_of, item_bytes
from tf2bridge.formats.messages import own, type_name
from tf2bridge.formats.sizes import MOST_DIMENSIONS, elements

_META = b""
"""The key of what describes all tensors of a file."""


class SlicesV1(Checkpoint):
    """A V1 checkpoint that is open. The source of its parts is (table, key of the slice).

    Raises DamagedCheckpointError, MissingShardError, UnsupportedCheckpointError.
    """

    format = "V1"

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        if missing := [each for each in files if not each.is_file()]:
            raise MissingShardError(path, missing, len(files))
        self.path = path
        self._tables: list[Table] = []
        self._parts: dict[str, list[Part]] = {}
        self._said: dict[str, tuple[tuple[int, ...], str]] = {}
        self.tensors: dict[str, TensorInfo] = {}
        try:
            for file in files:
                self._tables.append(Table(file))
                self._add(self._tables[-1])
            for name, parts in self._parts.items():
                shape, kind = self._said[name]
                self.tensors[name] = TensorInfo(name, shape, kind, self._size(parts, kind))
        except BaseException:
            self.close()
            raise

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """The bytes of a tensor that has no texts; see `Checkpoint`. Raises MissingSliceError, too."""
        info, parts = self.tensors[name], self._whole(name)
        if info.dtype == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        if (item := item_bytes(info.dtype)) is None:
            remedy = "drop it: it is no variable"
            raise UnsupportedCheckpointError(self.path, f"values of type {info.dtype} are not read", remedy, name)
        if (ordered := in_a_row(info.shape, parts)) is not None:
            for part in ordered:
                yield from self._values(name, part)
            return
        held: dict[int, bytes] = {}

        def read(part: Part, offset: int, size: int) -> bytes:
            if id(part) not in held:  # integers lie at no known place: a slice of them is decoded whole, one at a time
                held.clear()
                held[id(part)] = b"".join(self._values(name, part))
            return held[id(part)][offset : offset + size]

        yield from woven(info.shape, item, parts, read)

    def __getitem__(self, name: str) -> NDArray[Any]:
        info = self.tensors[name]
        if info.dtype == STRING:
            return self._texts(name)
        return array_of(self.pieces(name), info.shape, info.dtype)

    def close(self) -> None:
        for table in self._tables:
            table.close()

    def _add(self, table: Table) -> None:
        """Adds the tensors that a file describes, or the slices of them that it has."""
        for each in self._described(table):
            shape, kind = tuple(dim.size for dim in each.shape.dim[: MOST_DIMENSIONS + 1]), type_name(each.type)
            parts = self._parts.setdefault(each.name, [])
            try:
                elements(shape, item_bytes(kind) or 1)
                for where in map(slice_of, each.slice):
                    parts.append(part_of(where, shape, (table, slice_key(each.name, where))))
            except ValueError as error:
                raise DamagedCheckpointError(table.path, str(error), each.name) from error
            before = self._said.setdefault(each.name, (shape, kind))
            if before != (shape, kind):
                why = f"it is {kind} {list(shape)} here, and {before[1]} {list(before[0])} in another file"
                raise DamagedCheckpointError(table.path, why, each.name)

    def _size(self, parts: Sequence[Part], kind: str) -> int:
        """Bytes that slices have as numbers, or of texts, what is stored."""
        if (item := item_bytes(kind)) is not None:
            return sum(prod(part.shape) for part in parts) * item
        found = [table.find(key) for table, key in (part.source for part in parts)]
        return sum(each.size for each in found if each is not None)

    def _whole(self, name: str) -> list[Part]:
        """The slices of a tensor, once it is known that they make it up and that the file has bytes for its values."""
        if why := gap(self.tensors[name].shape, self._parts[name]):
            raise MissingSliceError(self.path, name, why)
        least = least_bytes(self.tensors[name].dtype)
        for part in self._parts[name]:
            value, count = self._place(name, part), prod(part.shape)
            if value.size < count * least:
                why = f"{value.size:,} bytes are too few for the {count:,} elements of its slice at {list(part.start)}"
                raise DamagedCheckpointError(part.source[0].path, why, name)
        return self._parts[name]

    def _described(self, table: Table) -> Any:
        where = table.find(_META)
        try:
            stored = own("SavedTensorSlices").FromString(table.read(where) if where else b"")
        except DecodeError as error:
            raise DamagedCheckpointError(table.path, f"what describes its tensors cannot be read ({error})") from error
        if where is None or not stored.HasField("meta"):
            raise DamagedCheckpointError(table.path, "it does not describe its tensors, so is no V1 checkpoint")
        return stored.meta.tensor

    def _place(self, name: str, part: Part) -> Value:
        """Where the message of a slice lies."""
        table: Table
        table, key = part.source
        try:
            value = table.find(key)
        except DamagedCheckpointError as error:
            raise DamagedCheckpointError(table.path, error.why, name) from error
        if value is None:
            raise DamagedCheckpointError(table.path, f"its slice at {list(part.start)} is not in the file", name)
        return value

    def _stored(self, name: str, part: Part) -> tuple[Read, Iterator[Field]]:
        """How to read the message of a slice, and the fields of its values. Raises ValueError."""
        table, value = part.source[0], self._place(name, part)

        def read(offset: int, size: int) -> Iterator[bytes]:
            return read_pieces(table.file, value.offset + offset, size)

        return read, value_fields(read, value.size)

    def _values(self, name: str, part: Part) -> Iterator[bytes | memoryview]:
        """The values of a slice, that there are as many as its shape says before the last piece is given."""
        expected, found, last = self._size([part], kind := self.tensors[name].dtype), 0, None
        try:
            for piece in values(*self._stored(name, part), kind):
                if last is not None:
                    yield last
                found, last = found + len(piece), piece
                if found > expected:
                    break
        except ValueError as error:
            raise DamagedCheckpointError(part.source[0].path, str(error), name) from error
        if found != expected:
            more = " or more" if found > expected else ""
            why = f"its values take {found:,} bytes{more}, and its shape and type say {expected:,}"
            raise DamagedCheckpointError(part.source[0].path, why, name)
        if last is not None:
            yield last

    def _texts(self, name: str) -> NDArray[Any]:
        parts = self._whole(name)
        made = np.empty(self.tensors[name].shape, object)
        for part in parts:
            try:
                found = text_values(*self._stored(name, part))
            except ValueError as error:
                raise DamagedCheckpointError(part.source[0].path, str(error), name) from error
            if len(found) != prod(part.shape):
                why = f"it holds {len(found)} texts, and its shape says {prod(part.shape)}"
                raise DamagedCheckpointError(part.source[0].path, why, name)
            texts = np.empty(len(found), object)
            texts[:] = found
            place: Any = (*part.place, ...)  # at () alone the array itself would be the item
            made[place] = texts.reshape(part.shape)
        return made
