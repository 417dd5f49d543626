"""Reads the index of a V2 checkpoint, and checks that its tensors fit into existing data files.

The format is that of core/protobuf/tensor_bundle.proto and core/util/tensor_bundle/tensor_bundle.cc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, NoReturn

from google.protobuf.message import DecodeError

from tf2bridge.formats.checkpoints.refusals import (
    DamagedCheckpointError,
    MissingShardError,
    NoCheckpointError,
    UnsupportedCheckpointError,
)
from tf2bridge.formats.checkpoints.slices import Part, part_of
from tf2bridge.formats.checkpoints.table import Table
from tf2bridge.formats.checkpoints.texts import CHECK
from tf2bridge.formats.checkpoints.wire import slice_key, slice_of
from tf2bridge.formats.dtypes import STRING, item_bytes
from tf2bridge.formats.kinds import GIT_LFS, other_kind
from tf2bridge.formats.messages import own, type_name
from tf2bridge.formats.sizes import MOST_DIMENSIONS, elements
from tf2bridge.regular_files import opened

_VERSION = 1
"""kTensorBundleVersion: the version that this reader reads."""
_OF_SLICES = b"\x00"
"""The prefix of the keys of slices; no name has it."""


@dataclass(frozen=True)
class BundleIndex:
    """The content of an index."""

    prefix: Path
    shards: int
    entries: dict[str, Any]
    """Name -> BundleEntryProto; that of a tensor in slices has no place."""
    shapes: dict[str, tuple[int, ...]]
    parts: dict[str, list[Part]]
    """Name of a tensor in slices -> its slices; the source of a slice is its BundleEntryProto."""

    def shard(self, number: int) -> Path:
        """Returns the path of a data file."""
        return shard_path(self.prefix, number, self.shards)


def shard_path(prefix: Path, number: int, shards: int) -> Path:
    """Returns the path of a data file of a V2 checkpoint: PREFIX.data-00000-of-00002."""
    return prefix.with_name(f"{prefix.name}.data-{number:05d}-of-{shards:05d}")


def index_path(prefix: Path) -> Path:
    """Returns the path of the index of a V2 checkpoint: PREFIX.index."""
    return prefix.with_name(f"{prefix.name}.index")


def read_index(prefix: Path) -> BundleIndex:
    """Returns the index of a V2 checkpoint, checked against the sizes of the data files.

    Raises DamagedCheckpointError, MissingShardError, UnsupportedCheckpointError, and OSError if there is no index.
    """
    path = index_path(prefix)
    table = Table(path)
    try:
        items = table.items()
        key, header = next(items, (b"-", b""))
        if key:
            raise DamagedCheckpointError(path, "it has no header, so is not the index of a V2 checkpoint")
        shards = _shards(path, _parsed(path, "BundleHeaderProto", header))
        entry = own("BundleEntryProto").FromString
        try:
            stored = {key: entry(value) for key, value in items}
        except DecodeError as error:
            raise DamagedCheckpointError(path, f"one of its entries is no BundleEntryProto ({error})") from error
    finally:
        table.close()
    entries = {_text(key): entry_proto for key, entry_proto in stored.items() if not key.startswith(_OF_SLICES)}
    shapes = {name: tuple([dim.size for dim in entry_proto.shape.dim]) for name, entry_proto in entries.items()}
    if max(map(len, shapes.values()), default=0) > MOST_DIMENSIONS:
        deep = max(shapes, key=lambda name: len(shapes[name]))
        why = f"it has {len(shapes[deep]):,} dimensions, and at most {MOST_DIMENSIONS} are read"
        raise DamagedCheckpointError(path, why, deep)
    parts = {
        name: _parts(path, name, entry_proto, shapes[name], stored)
        for name, entry_proto in entries.items()
        if entry_proto.slices
    }
    index = BundleIndex(prefix, shards, entries, shapes, parts)
    _check_places(index)
    return index


def _shards(path: Path, header: Any) -> int:
    if header.endianness:
        remedy = "restore and save it again where it was written, or on any little-endian machine"
        raise UnsupportedCheckpointError(path, "it was written big-endian", remedy)
    if header.version.min_consumer > _VERSION or _VERSION in header.version.bad_consumers:
        why = f"it needs a reader of version {header.version.min_consumer}, and this one is of version {_VERSION}"
        raise UnsupportedCheckpointError(path, why, "save it again with an older TensorFlow")
    if header.num_shards < 1:
        raise DamagedCheckpointError(path, f"it says that it has {header.num_shards} data files")
    return int(header.num_shards)


def _parsed(path: Path, name: str, data: bytes) -> Any:
    try:
        return own(name).FromString(data)
    except DecodeError as error:
        raise DamagedCheckpointError(path, f"its header is no {name} ({error})") from error


def _text(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")


def _require_shape(path: Path, name: str, shape: Sequence[int], item: int) -> None:
    try:
        elements(shape, item)
    except ValueError as error:
        raise DamagedCheckpointError(path, str(error), name) from error


def _parts(path: Path, name: str, entry: Any, shape: Sequence[int], stored: dict[bytes, Any]) -> list[Part]:
    _require_shape(path, name, shape, item_bytes(type_name(entry.dtype)) or 1)
    parts = []
    for slice_proto in entry.slices:
        bounds = slice_of(slice_proto)
        slice_entry = stored.get(slice_key(name, bounds))
        if slice_entry is None:
            raise DamagedCheckpointError(path, f"it has no place for the slice {bounds}", name)
        try:
            parts.append(part_of(bounds, shape, slice_entry))
        except ValueError as error:
            raise DamagedCheckpointError(path, str(error), name) from error
    return parts


def _check_places(index: BundleIndex) -> None:
    """Checks that each data file exists, and that each tensor lies within it and has the size of its shape and type."""
    sizes, taken = _shard_sizes(index), 0
    for name, entry in index.entries.items():
        if name not in index.parts:
            taken += _checked_size(index, name, entry, index.shapes[name], sizes)
    for name, parts in index.parts.items():
        for part in parts:
            if part.source.dtype != index.entries[name].dtype:
                raise DamagedCheckpointError(index.prefix, "a slice of it is of another type", name)
            taken += _checked_size(index, name, part.source, part.shape, sizes)
    if (over := taken - sum(sizes.values())) > 0:
        why = f"its tensors are said to take {over:,} bytes more than its data files have: some lie over others"
        raise DamagedCheckpointError(index.prefix, why)


def _shard_sizes(index: BundleIndex) -> dict[int, int]:
    """Returns number of a data file that is used -> its size. Raises MissingShardError."""
    used = {entry.shard_id for name, entry in index.entries.items() if name not in index.parts}
    used |= {part.source.shard_id for parts in index.parts.values() for part in parts}
    if wrong := sorted(entry for entry in used if not 0 <= entry < index.shards):
        why = f"a tensor is said to lie in data file {wrong[0]} of {index.shards}"
        raise DamagedCheckpointError(index.prefix, why)
    paths = {number: index.shard(number) for number in sorted(used)}
    if missing := [path for path in paths.values() if not path.is_file()]:
        raise MissingShardError(index.prefix, missing, index.shards)
    return {number: path.stat().st_size for number, path in paths.items()}


def _checked_size(index: BundleIndex, name: str, entry: Any, shape: tuple[int, ...], sizes: dict[int, int]) -> int:
    """Checks the place of a tensor or slice, and returns its bytes."""
    kind, size, offset = type_name(entry.dtype), int(entry.size), entry.offset
    item, count = item_bytes(kind), prod(shape)
    if not size or item is None:  # else the size of the file is a bound
        _require_shape(index.prefix, name, shape, item or 1)
    # Each text takes a byte or more for its length, and all their lengths four for a checksum.
    fits = size == count * item if item is not None else kind != STRING or size >= count + CHECK
    if not fits or offset < 0 or size < 0 or (shape and min(shape) < 0):
        why = f"{size:,} bytes from byte {offset:,} on cannot be {kind} of shape {list(shape)}"
        raise DamagedCheckpointError(index.prefix, why, name)
    if offset + size > sizes[entry.shard_id]:
        _refuse_short(index.shard(entry.shard_id), offset + size, name)
    return size


def _refuse_short(path: Path, needed: int, name: str) -> NoReturn:
    with opened(path) as file:
        if file.read(len(GIT_LFS)) == GIT_LFS:
            raise NoCheckpointError(path, (), other_kind(GIT_LFS))
    why = f"it would end at byte {needed:,}, and the file has {path.stat().st_size:,}: it is cut off"
    raise DamagedCheckpointError(path, why, name)
