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
    """An open V1 checkpoint. The source of its parts is (table, key of the slice).

    Raises DamagedCheckpointError, MissingShardError, UnsupportedCheckpointError.
    """

    format = "V1"

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        if missing := [path for path in files if not path.is_file()]:
            raise MissingShardError(path, missing, len(files))
        self.path = path
        self._tables: list[Table] = []
        self._parts: dict[str, list[Part]] = {}
        self._stated: dict[str, tuple[tuple[int, ...], str]] = {}
        self.tensors: dict[str, TensorInfo] = {}
        try:
            for file in files:
                self._tables.append(Table(file))
                self._add(self._tables[-1])
            for name, parts in self._parts.items():
                shape, kind = self._stated[name]
                self.tensors[name] = TensorInfo(name, shape, kind, self._size(parts, kind))
        except BaseException:
            self.close()
            raise

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """Yields the bytes of a tensor of numbers; see `Checkpoint`. Raises MissingSliceError, too."""
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
        decoded: dict[int, bytes] = {}

        def read(part: Part, offset: int, size: int) -> bytes:
            if id(part) not in decoded:
                # Varints have no fixed places, so a slice of them is decoded as a whole, one slice at a time.
                decoded.clear()
                decoded[id(part)] = b"".join(self._values(name, part))
            return decoded[id(part)][offset : offset + size]

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
        for description in self._described(table):
            shape = tuple(dim.size for dim in description.shape.dim[: MOST_DIMENSIONS + 1])
            kind = type_name(description.type)
            parts = self._parts.setdefault(description.name, [])
            try:
                elements(shape, item_bytes(kind) or 1)
                for where in map(slice_of, description.slice):
                    parts.append(part_of(where, shape, (table, slice_key(description.name, where))))
            except ValueError as error:
                raise DamagedCheckpointError(table.path, str(error), description.name) from error
            before = self._stated.setdefault(description.name, (shape, kind))
            if before != (shape, kind):
                why = f"it is {kind} {list(shape)} here, and {before[1]} {list(before[0])} in another file"
                raise DamagedCheckpointError(table.path, why, description.name)

    def _size(self, parts: Sequence[Part], kind: str) -> int:
        """Bytes that slices have as numbers, or of texts, what is stored."""
        if (item := item_bytes(kind)) is not None:
            return sum(prod(part.shape) for part in parts) * item
        places = [table.find(key) for table, key in (part.source for part in parts)]
        return sum(place.size for place in places if place is not None)

    def _whole(self, name: str) -> list[Part]:
        """Returns the slices of a tensor, after a check that they cover it and the file has all bytes of its values."""
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
        """Returns where the message of a slice lies."""
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
        """Returns a reader of the message of a slice, and the fields of its values. Raises ValueError."""
        table, value = part.source[0], self._place(name, part)

        def read(offset: int, size: int) -> Iterator[bytes]:
            return read_pieces(table.file, value.offset + offset, size)

        return read, value_fields(read, value.size)

    def _values(self, name: str, part: Part) -> Iterator[bytes | memoryview]:
        """Yields the values of a slice. Their number is compared with the shape before the last piece."""
        expected, count, last = self._size([part], kind := self.tensors[name].dtype), 0, None
        try:
            for piece in values(*self._stored(name, part), kind):
                if last is not None:
                    yield last
                count, last = count + len(piece), piece
                if count > expected:
                    break
        except ValueError as error:
            raise DamagedCheckpointError(part.source[0].path, str(error), name) from error
        if count != expected:
            more = " or more" if count > expected else ""
            why = f"its values take {count:,} bytes{more}, and its shape and type say {expected:,}"
            raise DamagedCheckpointError(part.source[0].path, why, name)
        if last is not None:
            yield last

    def _texts(self, name: str) -> NDArray[Any]:
        parts = self._whole(name)
        array = np.empty(self.tensors[name].shape, object)
        for part in parts:
            try:
                strings = text_values(*self._stored(name, part))
            except ValueError as error:
                raise DamagedCheckpointError(part.source[0].path, str(error), name) from error
            if len(strings) != prod(part.shape):
                why = f"it holds {len(strings)} texts, and its shape says {prod(part.shape)}"
                raise DamagedCheckpointError(part.source[0].path, why, name)
            texts = np.empty(len(strings), object)
            texts[:] = strings
            place: Any = (*part.place, ...)  # at () alone the array itself would be the item
            array[place] = texts.reshape(part.shape)
        return array
