"""V2 checkpoints: PREFIX.index and PREFIX.data-00000-of-00001, as `Saver` and `tf.train.Checkpoint` write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import FileIO
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.formats.checkpoints.bundle_index import read_index
from tf2bridge.formats.checkpoints.checksums import extended, masked, read_into, read_pieces
from tf2bridge.formats.checkpoints.objects import OBJECT_GRAPH, ObjectTensor, described_objects
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, MissingSliceError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.slices import Part, gap, in_a_row, woven
from tf2bridge.formats.checkpoints.stored import PIECE, Checkpoint, TensorInfo
from tf2bridge.formats.checkpoints.texts import texts_of
from tf2bridge.formats.dtypes import STRING, array_of, item_bytes, numpy_type
from tf2bridge.formats.messages import type_name
from tf2bridge.regular_files import opened

if TYPE_CHECKING:  # NumPy takes longer to import than thousands of names to be read
    from numpy.typing import NDArray


class Bundle(Checkpoint):
    """An open V2 checkpoint of a Saver ("V2") or of `tf.train.Checkpoint` ("objects").

    `entry`, `parts`, `shards` and `shard` tell where each tensor lies, so that names can be changed without copying
    data. `tensors` has all tensors except the graph of objects, which is not a tensor to map: `objects` has its
    content, and `entry(OBJECT_GRAPH)` its place.

    Raises DamagedCheckpointError, MissingShardError, UnsupportedCheckpointError, and OSError if there is no index.
    """

    by_place = True
    objects: Mapping[str, ObjectTensor]
    """Name of a tensor -> its entry in the graph of objects; empty in a checkpoint of a Saver."""
    object_graph: bytes = b""
    """The graph of objects, a TrackableObjectGraph as it is stored."""

    def __init__(self, prefix: Path) -> None:
        self.path = prefix
        self._index = read_index(prefix)
        self._files: dict[int, FileIO] = {}
        self.format = "objects" if OBJECT_GRAPH in self._index.entries else "V2"
        try:
            self.objects = self._described()
            self.tensors = {
                name: self._info(name, entry) for name, entry in self._index.entries.items() if name != OBJECT_GRAPH
            }
        except BaseException:
            self.close()
            raise

    @property
    def shards(self) -> int:
        """The number of data files."""
        return self._index.shards

    def shard(self, number: int) -> Path:
        """Returns the path of a data file by its number, from 0 on."""
        return self._index.shard(number)

    def entry(self, name: str) -> Any:
        """Returns the BundleEntryProto (`messages.own`) of a tensor: dtype, shape, shard_id, offset, size, crc32c.

        The entry of a tensor in slices names the slices but no place; see `parts`. Do not change the entry: copy it.
        Raises KeyError.
        """
        return self._index.entries[name]

    def parts(self, name: str) -> Sequence[Part]:
        """Returns the slices of a tensor, each with its BundleEntryProto as `source`; () for a tensor without slices.

        The key of a slice's entry in an index is `wire.slice_key(name, wire.slice_of(...))` of the slices in `entry`.
        """
        return self._index.parts.get(name, ())

    def places(self, name: str) -> list[Any]:
        """Returns the BundleEntryProtos with the place of a tensor: its own, or those of its slices."""
        return [part.source for part in self.parts(name)] or [self.entry(name)]

    def stored(self, name: str, entry: Any) -> Iterator[bytes]:
        """Yields the stored bytes of an entry, at most PIECE at a time.

        The checksum is compared before the last piece is yielded. Raises DamagedCheckpointError with `name`.
        """
        crc, left = 0, entry.size
        for piece in read_pieces(self._file(entry.shard_id), entry.offset, entry.size):
            crc, left = extended(crc, piece), left - len(piece)
            if not left:
                self._compare(name, entry, crc)
            yield piece
        if not entry.size:
            self._compare(name, entry, crc)

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """Yields the bytes of a tensor of numbers; see `Checkpoint`. Raises MissingSliceError, too."""
        self._require_numbers(name)
        parts = self.parts(name)
        if not parts:
            yield from self.stored(name, self.entry(name))
            return
        shape = self.tensors[name].shape
        self._require_whole(name)
        if (ordered := in_a_row(shape, parts)) is not None:
            for part in ordered:
                yield from self.stored(name, part.source)
            return
        for part in parts:
            for _ in self.stored(name, part.source):
                pass
        yield from woven(shape, item_bytes(self.tensors[name].dtype) or 1, parts, self._some)

    def __getitem__(self, name: str) -> NDArray[Any]:
        info = self.tensors[name]
        if info.dtype == STRING:
            return self._texts(name)
        self._require_numbers(name)
        if self.parts(name):
            return array_of(self.pieces(name), info.shape, info.dtype)
        return self._array(name, self.entry(name), info)

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _info(self, name: str, entry: Any) -> TensorInfo:
        parts = self._index.parts.get(name)
        size = sum(part.source.size for part in parts) if parts else entry.size
        tensor = self.objects.get(name)
        return TensorInfo(
            name, self._index.shapes[name], type_name(entry.dtype), size, tensor.full_name if tensor else ""
        )

    def _described(self) -> Mapping[str, ObjectTensor]:
        if OBJECT_GRAPH not in self._index.entries:
            return {}
        entry = self.entry(OBJECT_GRAPH)
        if type_name(entry.dtype) != STRING or entry.shape.dim:
            raise DamagedCheckpointError(self.path, "it is no text, so says nothing of objects", OBJECT_GRAPH)
        self.object_graph = self._texts_at(OBJECT_GRAPH, entry, 1)[0]
        return described_objects(self.path, self.object_graph)

    def _file(self, number: int) -> FileIO:
        if number not in self._files:
            self._files[number] = opened(self.shard(number))
        return self._files[number]

    def _compare(self, name: str, entry: Any, crc: int) -> None:
        if masked(crc) != entry.crc32c:
            why = f"its {entry.size:,} bytes from byte {entry.offset:,} on are damaged: their checksum is another"
            raise DamagedCheckpointError(self.shard(entry.shard_id), why, name)

    def _require_numbers(self, name: str) -> None:
        kind = self.tensors[name].dtype
        if kind == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        if item_bytes(kind) is None:
            remedy = "drop it: it is the state of an object of TensorFlow, as of an iterator, and no variable"
            raise UnsupportedCheckpointError(self.path, f"values of type {kind} are not read", remedy, name)

    def _require_whole(self, name: str) -> None:
        if why := gap(self.tensors[name].shape, self.parts(name)):
            raise MissingSliceError(self.path, name, why)

    def _some(self, part: Part, offset: int, size: int) -> bytes:
        return b"".join(read_pieces(self._file(part.source.shard_id), part.source.offset + offset, size))

    def _array(self, name: str, entry: Any, info: TensorInfo) -> NDArray[Any]:
        """Reads a tensor straight into its array, which saves a copy."""
        import numpy as np

        array = np.empty(prod(info.shape), numpy_type(info.dtype))
        memory, crc = array.view(np.uint8).data, 0
        for done in range(0, entry.size, PIECE):
            piece = memory[done : done + PIECE]
            read_into(self._file(entry.shard_id), entry.offset + done, piece)
            crc = extended(crc, piece)
        self._compare(name, entry, crc)
        return array.reshape(info.shape)

    def _texts(self, name: str) -> NDArray[Any]:
        import numpy as np

        info, parts = self.tensors[name], self.parts(name)
        if parts:
            self._require_whole(name)
        array = np.empty(info.shape, object)
        for part in parts or [Part((0,) * len(info.shape), info.shape, self.entry(name))]:
            texts = np.empty(prod(part.shape), object)
            texts[:] = self._texts_at(name, part.source, prod(part.shape))
            place: Any = (*part.place, ...)  # an index of () alone would replace the array by one item
            array[place] = texts.reshape(part.shape)
        return array

    def _texts_at(self, name: str, entry: Any, count: int) -> list[bytes]:
        data = self._some(Part((), (), entry), 0, entry.size)
        try:
            return texts_of(data, count, entry.crc32c)
        except ValueError as error:
            raise DamagedCheckpointError(self.shard(entry.shard_id), str(error), name) from error
