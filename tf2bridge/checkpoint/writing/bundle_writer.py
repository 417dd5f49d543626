"""Writes V2 checkpoints: data files, and the index that says where each tensor is in them.

Unchanged data of a V2 source stays in its data files, which are copied or linked; only the index is new. Other data
goes into one more file. The format is that of core/util/tensor_bundle/tensor_bundle.cc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

from tf2bridge.checkpoint.writing.ahead import ahead
from tf2bridge.checkpoint.writing.atomic import Replacement
from tf2bridge.checkpoint.writing.copying import copy
from tf2bridge.checkpoint.writing.outgoing import Outgoing
from tf2bridge.checkpoint.writing.refusals import NotLinkedError
from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.bundle_index import index_path, shard_path
from tf2bridge.formats.checkpoints.checksums import extended, masked
from tf2bridge.formats.checkpoints.forms import escaped
from tf2bridge.formats.checkpoints.stored import Checkpoint
from tf2bridge.formats.checkpoints.texts import stored_texts
from tf2bridge.formats.checkpoints.wire import slice_key, slice_of
from tf2bridge.formats.dtypes import STRING
from tf2bridge.formats.messages import own, type_number

_AHEAD = 3
"""How many pieces are read ahead of the piece that is written."""
_LIVE = 0.9
"""The part of the source's data files that must be in use; otherwise the files are not copied as they are."""

Entries = dict[bytes, Any]
"""Key of the index -> BundleEntryProto."""


def files_at(prefix: Path) -> list[Path]:
    """Returns the existing files of a V2 or V1 checkpoint with this prefix."""
    shards = prefix.parent.glob(f"{escaped(prefix.name)}.data-?????-of-?????")
    return [*(path for path in (index_path(prefix), prefix) if path.exists()), *sorted(shards)]


def write_bundle(
    replacement: Replacement, prefix: Path, tensors: Mapping[str, Outgoing], source: Checkpoint, link: bool
) -> bool:
    """Writes tensors under their names in `tensors`.

    Returns:
        Whether the source's data files were kept.

    Raises:
        NotLinkedError: The source's data files cannot be linked.
        DamagedCheckpointError: The source cannot be read.
        OSError: The files cannot be written.
    """
    kept = _kept(tensors, source, link)
    if link and not kept:
        raise NotLinkedError(source.path, prefix, "its data is not as it is to be")
    new = {name: tensor for name, tensor in tensors.items() if name not in kept}
    shards = _used(source, kept) if isinstance(source, Bundle) else 0
    count = _free_count(prefix, shards + bool(new or not shards))
    entries: Entries = {}
    if kept and isinstance(source, Bundle):
        for number in range(shards):
            _keep(source.shard(number), replacement.part(shard_path(prefix, number, count)), link, prefix)
        for name, origin in kept.items():
            entries.update(_renamed(source, origin, name))
    if count > shards:
        with replacement.part(shard_path(prefix, shards, count)).open("wb", 0) as file:
            entries.update(_streamed(file, new, shards))
    for number in range(shards + 1, count):
        replacement.part(shard_path(prefix, number, count)).touch()
    _write_index(replacement.part(index_path(prefix)), entries, count)
    return bool(kept)


def _kept(tensors: Mapping[str, Outgoing], source: Checkpoint, link: bool) -> dict[str, str]:
    """Returns name -> name in the source, for each tensor that stays in its file.

    None if too little of the data stays.
    """
    if not isinstance(source, Bundle):
        return {}
    kept = {name: tensor.origin for name, tensor in tensors.items() if tensor.origin}
    paths = (source.shard(number) for number in range(_used(source, kept)))
    total = sum(path.stat().st_size for path in paths if path.exists())
    live = sum(entry.size for origin in set(kept.values()) for entry in source.places(origin))
    return kept if live >= total * _LIVE or link else {}


def _used(source: Bundle, kept: Mapping[str, str]) -> int:
    """Returns the number of data files up to the last one that is needed."""
    entries = (entry for origin in kept.values() for entry in source.places(origin))
    return max((entry.shard_id + 1 for entry in entries), default=0)


def _free_count(prefix: Path, count: int) -> int:
    """Returns the smallest number of data files, from `count` on, for which no file of such a name exists."""
    taken = {path.name[-5:] for path in files_at(prefix)}
    while f"{count:05d}" in taken:
        count += 1
    return count


def _keep(shard: Path, part: Path, link: bool, prefix: Path) -> None:
    if not shard.exists():
        part.touch()  # a data file without tensors
    elif not link:
        copy(shard, part)
    else:
        try:
            part.hardlink_to(shard.resolve())
        except OSError as error:
            raise NotLinkedError(shard, prefix, error.strerror or "there are no hard links") from error


def _renamed(source: Bundle, origin: str, name: str) -> Iterator[tuple[bytes, Any]]:
    """Yields the entries of a tensor under another name."""
    entry = source.entry(origin)
    yield name.encode(), entry
    for where, part in zip(entry.slices, source.parts(origin), strict=True):
        yield slice_key(name, slice_of(where)), part.source


def _streamed(file: BinaryIO, tensors: Mapping[str, Outgoing], number: int) -> Entries:
    """Writes the data of the tensors one after the other, and returns their entries."""
    at = 0
    places: dict[str, tuple[int, int, int]] = {}
    with closing(ahead(_data(tensors), _AHEAD)) as all_data:
        for name, data, crc in all_data:
            start = places[name][0] if name in places else at
            at += _written(file, data)
            places[name] = start, at - start, masked(crc)
    return {name.encode(): _entry(tensors[name], number, *place) for name, place in places.items()}


def _data(tensors: Mapping[str, Outgoing]) -> Iterator[tuple[str, bytes | memoryview, int]]:
    """Yields name, piece, and the tensor's checksum so far. Each tensor begins with an empty piece."""
    for name, tensor in tensors.items():
        crc = 0
        yield name, b"", crc
        if tensor.info.dtype == STRING:
            yield name, *stored_texts(tensor.texts())
            continue
        for piece in tensor.pieces():
            crc = extended(crc, piece)
            yield name, piece, crc


def _written(file: BinaryIO, data: bytes | memoryview) -> int:
    """Writes all bytes: the system takes less than 2 GiB at once, and on a full disk only what fits."""
    view, done = memoryview(data), 0
    while done < len(view):
        done += file.write(view[done:])
    return done


def _entry(tensor: Outgoing, number: int, offset: int, size: int, crc: int) -> Any:
    made = own("BundleEntryProto")(
        dtype=type_number(tensor.info.dtype), shard_id=number, offset=offset, size=size, crc32c=crc
    )
    made.shape.SetInParent()  # also for a scalar, as TensorFlow writes it
    for length in tensor.info.shape:
        made.shape.dim.add(size=length)
    return made


def _write_index(path: Path, entries: Entries, count: int) -> None:
    header = own("BundleHeaderProto")(num_shards=count)
    header.version.producer = 1
    with path.open("wb") as file:
        write_table(file, [(b"", header.SerializeToString()), *_serialized(entries)])


def _serialized(entries: Entries) -> Iterable[tuple[bytes, bytes]]:
    return ((key, entries[key].SerializeToString()) for key in sorted(entries))
