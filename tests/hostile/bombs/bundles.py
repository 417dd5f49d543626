"""Checkpoints of TensorFlow that ask for much memory or time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.hostile.bombs.registry import bomb, file_in, proto, sparse_file_in
from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.bundle_index import index_path, shard_path
from tf2bridge.formats.checkpoints.checksums import masked
from tf2bridge.formats.checkpoints.objects import OBJECT_GRAPH
from tf2bridge.formats.checkpoints.texts import stored_texts
from tf2bridge.formats.checkpoints.wire import slice_key, written_varint
from tf2bridge.formats.messages import own


def _entry(shape: Iterable[int], size: int, kind: int = 1, offset: int = 0, crc: int = 0) -> Any:
    entry = own("BundleEntryProto")(dtype=kind, offset=offset, size=size, crc32c=crc)
    for item in shape:
        entry.shape.dim.add(size=item)
    return entry


def _bundle(folder: Path, entries: dict[bytes, Any], data: bytes, kind: str = "arrays") -> tuple[str, Path]:
    header = own("BundleHeaderProto")(num_shards=1)
    header.version.producer = 1
    stored = {b"": header.SerializeToString(), **{key: entry.SerializeToString() for key, entry in entries.items()}}
    with index_path(folder / "v2").open("wb") as file:
        write_table(file, sorted(stored.items()))
    shard_path(folder / "v2", 0, 1).write_bytes(data)
    return kind, folder / "v2"


@bomb
def texts_of_lying_sizes(folder: Path) -> tuple[str, Path]:
    entries = {f"t{bits}".encode(): _entry([1 << bits], 6, kind=7) for bits in range(31, 46)}
    return _bundle(folder, entries, b"abcdef" * 20)


@bomb
def a_text_of_a_lying_length(folder: Path) -> tuple[str, Path]:
    return _bundle(folder, {b"t": _entry([1], 10, kind=7)}, written_varint(1 << 45) + b"abcd")


@bomb
def shapes_with_a_nought(folder: Path) -> tuple[str, Path]:
    return _bundle(folder, {b"t": _entry([1 << 62, 0], 0), b"u": _entry([1 << 40, 0], 0)}, b"")


@bomb
def a_large_shape_with_a_nought(folder: Path) -> tuple[str, Path]:
    return _bundle(folder, {b"u": _entry([1 << 40, 0], 0)}, b"")


@bomb
def many_dimensions(folder: Path) -> tuple[str, Path]:
    return _bundle(folder, {b"t": _entry([1 << 62] * 500_000, 4)}, bytes(4))


@bomb
def one_place_for_many_tensors(folder: Path) -> tuple[str, Path]:
    data = bytes(8 << 20)
    import google_crc32c

    crc = masked(google_crc32c.value(data))
    entries = {f"t{at:05}".encode(): _entry([2 << 20], 8 << 20, crc=crc) for at in range(20_000)}
    return _bundle(folder, entries, data, "checkpoint")


def _slices(count: int, columns: bool) -> tuple[Any, list[Any]]:
    result = _entry([count, 2] if not columns else [2, count], 0)
    parts = []
    for at in range(count):
        for half in range(2 if columns else 1):
            part = own("TensorSliceProto")()
            first, second = part.extent.add(), part.extent.add()
            if columns:
                first.start, first.length, second.start, second.length = half, 1, at, 1
            else:
                first.start, first.length = at, 1
            parts.append(part)
    result.slices.extend(parts)
    return result, parts


@bomb
def thousands_of_slices(folder: Path) -> tuple[str, Path]:
    from tf2bridge.formats.checkpoints.wire import slice_of

    result, parts = _slices(4000, True)
    entries = {b"t": result}
    for at, part in enumerate(parts):
        entries[slice_key("t", slice_of(part))] = _entry([1, 1], 4, offset=4 * at, crc=masked(_crc(bytes(4))))
    return _bundle(folder, entries, bytes(4 * len(parts)))


def _crc(data: bytes) -> int:
    import google_crc32c

    return int(google_crc32c.value(data))


@bomb
def slices_that_say_one_again(folder: Path) -> tuple[str, Path]:
    from tf2bridge.formats.checkpoints.wire import slice_of

    result, parts = _slices(1, True)
    result.slices.extend([parts[0]] * 200_000)
    entries = {b"t": result} | {slice_key("t", slice_of(part)): _entry([1, 1], 4, offset=0) for part in parts}
    return _bundle(folder, entries, bytes(1 << 20))


@bomb
def many_keys(folder: Path) -> tuple[str, Path]:
    return _bundle(folder, {f"{at:07}".encode(): _entry([0], 0) for at in range(200_000)}, b"")


@bomb
def keys_that_share_a_long_beginning(folder: Path) -> tuple[str, Path]:
    header = own("BundleHeaderProto")(num_shards=1).SerializeToString()
    block = bytearray([0, 0, len(header)]) + header
    for at in range(60_000):
        key = b"k" * 1_000_000 if not at else b"l" + at.to_bytes(3, "big")
        shared = 0 if not at else 999_990
        block += written_varint(shared) + written_varint(len(key)) + written_varint(0) + key
    block += bytes(4) + (1).to_bytes(4, "little")
    return _table(folder / "v2.index", [bytes(block)], folder / "v2")


def _table(path: Path, blocks: list[bytes], opened: Path, again: int = 1) -> tuple[str, Path]:
    """A table of these blocks, the last of them listed `again` times."""
    from tf2bridge.formats.kinds import TABLE_MAGIC

    made, places = b"", []
    for block in blocks:
        places.append(written_varint(len(made)) + written_varint(len(block)))
        made += block + b"\x00" + masked(_crc(block + b"\x00")).to_bytes(4, "little")
    places += [places[-1]] * (again - 1)
    index = b""
    for number, place in enumerate(places):
        key = b"\xff" + number.to_bytes(4, "big")
        index += written_varint(0) + written_varint(len(key)) + written_varint(len(place)) + key + place
    handles = []
    for content in (bytes(4) + (1).to_bytes(4, "little"), index + bytes(4) + (1).to_bytes(4, "little")):
        handles.append(written_varint(len(made)) + written_varint(len(content)))
        made += content + b"\x00" + masked(_crc(content + b"\x00")).to_bytes(4, "little")
    path.write_bytes(made + b"".join(handles).ljust(40, b"\x00") + TABLE_MAGIC)
    return "checkpoint", opened


@bomb
def one_block_listed_often(folder: Path) -> tuple[str, Path]:
    restarts = 2_000_000
    block = bytes(4 * restarts) + restarts.to_bytes(4, "little")
    return _table(folder / "v2.index", [block], folder / "v2", 50_000)


def _objects(folder: Path, graph: Any, entries: dict[bytes, Any] | None = None) -> tuple[str, Path]:
    data, crc = stored_texts([graph.SerializeToString()])
    message = {OBJECT_GRAPH.encode(): _entry([], len(data), kind=7, crc=masked(crc)), **(entries or {})}
    return _bundle(folder, message, data, "checkpoint")


@bomb
def a_chain_of_objects(folder: Path) -> tuple[str, Path]:
    graph = own("TrackableObjectGraph")()
    for at in range(100_000):
        node = graph.nodes.add()
        node.children.add(node_id=at + 1, local_name="child")
        node.attributes.add(name="VARIABLE_VALUE", checkpoint_key=f"k{at}")
    graph.nodes.add()
    return _objects(folder, graph)


@bomb
def a_variable_of_many_keys_and_slots(folder: Path) -> tuple[str, Path]:
    graph = own("TrackableObjectGraph")()
    first, second = graph.nodes.add(), graph.nodes.add()
    for at in range(30_000):
        first.slot_variables.add(original_variable_node_id=1, slot_name="m", slot_variable_node_id=at % 2)
        second.attributes.add(name="OTHER", checkpoint_key=f"k{at}")
    return _objects(folder, graph)


@bomb
def objects_that_are_not_there(folder: Path) -> tuple[str, Path]:
    graph = own("TrackableObjectGraph")()
    graph.nodes.add().children.add(node_id=-1, local_name="a")
    return _objects(folder, graph)


def v1_in(
    folder: Path, tensors: list[tuple[str, list[int], list[Any]]], values: dict[str, bytes], kind: int = 1
) -> tuple[str, Path]:
    """Tensors with their shapes and slices, and messages of slices by tensor, all of rank 1 or described."""
    from tf2bridge.formats.checkpoints.wire import slice_of

    stored = own("SavedTensorSlices")()
    keys: dict[bytes, bytes] = {}
    for name, shape, slices in tensors:
        tensor = stored.meta.tensor.add(name=name, type=kind)
        for size in shape:
            tensor.shape.dim.add(size=size)
        for part in slices:
            tensor.slice.add().CopyFrom(part)
            if name in values:
                keys[slice_key(name, slice_of(part))] = values[name]
    with (folder / "v1").open("wb") as file:
        write_table(file, sorted({b"": stored.SerializeToString(), **keys}.items()))
    return "arrays", folder / "v1"


def whole_slice(rank: int) -> Any:
    """The slice that is all of a tensor."""
    part = own("TensorSliceProto")()
    for _ in range(rank):
        part.extent.add()
    return part


def _values(count: int) -> bytes:
    return proto(2, proto(3, proto(5, bytes(4 * count))))


@bomb
def a_v1_shape_without_its_values(folder: Path) -> tuple[str, Path]:
    return v1_in(folder, [("t", [1 << 40], [whole_slice(1)])], {"t": _values(1)})


@bomb
def a_v1_tensor_described_again_and_again(folder: Path) -> tuple[str, Path]:
    return v1_in(folder, [("t", [1], [whole_slice(1)])] * 50_000, {"t": _values(1)})


@bomb
def a_v1_tensor_of_empty_fields(folder: Path) -> tuple[str, Path]:
    return v1_in(folder, [("t", [1], [whole_slice(1)])], {"t": proto(2, proto(3, b"\x2a\x00" * 2_000_000))})


@bomb
def many_small_v1_tensors(folder: Path) -> tuple[str, Path]:
    tensors = [(f"t{at}", [1], [whole_slice(1)]) for at in range(20_000)]
    return v1_in(folder, tensors, {name: _values(1) for name, _, _ in tensors})


@bomb
def a_state_file_of_empty_lines(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "checkpoint", b"model_checkpoint_path: \n" + b"\n" * 5_000_000, "checkpoint")


@bomb
def a_sparse_state_file(folder: Path) -> tuple[str, Path]:
    return sparse_file_in(folder, "checkpoint", b'model_checkpoint_path: "a"\n', "checkpoint")
