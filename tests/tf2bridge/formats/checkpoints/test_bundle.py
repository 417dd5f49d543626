"""V2 checkpoints are read as TensorFlow reads them: those of four genuine releases, of Keras and of an estimator."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.formats.checkpoints.against_tensorflow import check_same_tensors
from tests.tf2bridge.graph import recorded
from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.bundle_index import index_path
from tf2bridge.formats.checkpoints.checksums import extended, masked
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, MissingSliceError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.stored import PIECE
from tf2bridge.formats.checkpoints.table import Table
from tf2bridge.formats.messages import own

FIXTURES = Path(__file__).parents[4] / "fixtures"


@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.12.3", "1.15.5"])
def test_every_recorded_checkpoint(release: str, tmp_path_factory: Any) -> None:
    names = [name for name in recorded.ALL if name.startswith(f"{release}/")]
    folders = [recorded.unpacked(name, tmp_path_factory.getbasetemp()).folder for name in names]
    result = [index for folder in folders for index in sorted(folder.rglob("*.index"))]
    assert len(result) >= len(names) > 20
    for index in result:
        check_same_tensors(index.with_suffix(""))


@pytest.mark.parametrize("prefix", ["estimator/model.ckpt-5", "keras_files/weights"])
def test_data_in_several_files(prefix: str) -> None:
    assert check_same_tensors(FIXTURES / prefix) > 3


def saved(prefix: Path, tensors: dict[str, Any], slices: dict[str, str] | None = None) -> Path:
    """A V2 checkpoint of these tensors by TensorFlow's own operation."""
    specs = [(slices or {}).get(name, "") for name in tensors]
    names = [name.partition("#")[0] for name in tensors]
    tf.raw_ops.SaveV2(
        prefix=str(prefix),
        tensor_names=names,
        shape_and_slices=specs,
        tensors=[tf.constant(t) for t in tensors.values()],
    )
    return prefix


def rewritten(prefix: Path, change: Callable[[dict[bytes, bytes]], None]) -> Path:
    """The checkpoint with another index, whole and with checksums that fit."""
    index = index_path(prefix)
    table = Table(index)
    items = dict(table.items())
    table.close()
    change(items)
    with index.open("wb") as file:
        write_table(file, sorted(items.items()))
    return prefix


def with_header(**fields: Any) -> Callable[[dict[bytes, bytes]], None]:
    def change(items: dict[bytes, bytes]) -> None:
        header = own("BundleHeaderProto").FromString(items[b""])
        header.MergeFrom(own("BundleHeaderProto")(**fields))
        items[b""] = header.SerializeToString()

    return change


def with_entry(name: str, **fields: Any) -> Callable[[dict[bytes, bytes]], None]:
    def change(items: dict[bytes, bytes]) -> None:
        entry = own("BundleEntryProto").FromString(items[name.encode()])
        for field, value in fields.items():
            setattr(entry, field, value)
        items[name.encode()] = entry.SerializeToString()

    return change


def test_types_that_only_newer_releases_have(tmp_path: Path) -> None:
    numbers = np.arange(-3.0, 4.0)
    names = ("float8_e5m2", "float8_e4m3fn", "bfloat16", "int4", "uint4", "uint32", "uint64", "half", "complex128")
    values = {name: np.abs(numbers) if name.startswith("u") else numbers for name in names}
    tensors = {  # TensorFlow casts int8 alone to int4
        name: tf.cast(value.astype(np.int8) if name.endswith("int4") else value, name) for name, value in values.items()
    }
    assert check_same_tensors(saved(tmp_path / "types", tensors)) == len(names)


def test_a_tensor_of_several_pieces(tmp_path: Path) -> None:
    values = {"large": np.arange(5_000_000, dtype=np.float32), "after": np.arange(3)}
    saved(tmp_path / "large", values)
    with tf2bridge.checkpoint.open(tmp_path / "large") as checkpoint:
        assert [len(piece) for piece in checkpoint.pieces("large")] == [PIECE, PIECE, 20_000_000 - 2 * PIECE]
        np.testing.assert_array_equal(checkpoint["large"], values["large"])


def test_slices_of_which_some_are_missing_or_overlap(tmp_path: Path) -> None:
    part, content = np.ones((2, 3), np.float32), "4 3 "
    saved(tmp_path / "part", {"x": part, "y": part}, {"x": f"{content}2,2:-"})
    with tf2bridge.checkpoint.open(tmp_path / "part") as checkpoint:
        with pytest.raises(MissingSliceError, match=r"'x': 6 of its 12 elements are in none of its 1 slices"):
            checkpoint["x"]
        assert checkpoint["y"].tolist() == part.tolist()


def test_a_checkpoint_that_another_machine_or_a_later_tensorflow_wrote(tmp_path: Path) -> None:
    prefix = saved(tmp_path / "x", {"x": np.arange(3)})
    with pytest.raises(UnsupportedCheckpointError, match="big-endian"):
        tf2bridge.checkpoint.open(rewritten(prefix, with_header(endianness=1)))
    saved(prefix, {"x": np.arange(3)})
    with pytest.raises(UnsupportedCheckpointError, match="needs a reader of version 2"):
        tf2bridge.checkpoint.open(rewritten(prefix, with_header(version={"min_consumer": 2})))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"size": 23}, r"'x': 23 bytes from byte 0 on cannot be int64 of shape \[3\]"),
        ({"offset": -8}, "from byte -8 on"),
        ({"offset": 8}, "would end at byte 32, and the file has 24"),
        ({"shard_id": 1}, "data file 1 of 1"),
        ({"crc32c": 5}, "their checksum is another"),
    ],
)
def test_an_index_that_says_what_cannot_be(fields: dict[str, int], message: str, tmp_path: Path) -> None:
    prefix = rewritten(saved(tmp_path / "x", {"x": np.arange(3)}), with_entry("x", **fields))
    with pytest.raises(DamagedCheckpointError, match=message), tf2bridge.checkpoint.open(prefix) as checkpoint:
        checkpoint["x"]


def test_a_state_that_is_no_variable_is_listed_and_not_read(tmp_path: Path) -> None:
    prefix = rewritten(saved(tmp_path / "x", {"x": np.arange(3), "y": np.arange(2)}), with_entry("x", dtype=21))
    with tf2bridge.checkpoint.open(prefix) as checkpoint:
        assert checkpoint.tensors["x"].dtype == "variant"
        with pytest.raises(UnsupportedCheckpointError, match=r"'x': values of type variant are not read"):
            checkpoint["x"]
        assert checkpoint["y"].tolist() == [0, 1]


def test_offsets_beyond_4_gib_in_a_sparse_file(tmp_path: Path) -> None:
    far = (5 << 30) + 3
    prefix = saved(tmp_path / "x", {"x": np.arange(1000)})
    data = prefix.with_name("x.data-00000-of-00001")
    content = data.read_bytes()
    with data.open("r+b") as file:
        file.seek(far)
        file.write(content)
        file.seek(0)
        file.write(bytes(len(content)))
    rewritten(prefix, with_entry("x", offset=far))
    assert check_same_tensors(prefix) == 1
    with data.open("r+b") as file:
        file.truncate(far + 7999)
    with pytest.raises(DamagedCheckpointError, match=r"'x': it would end at byte 5,368,717,123"):
        tf2bridge.checkpoint.open(prefix)


def test_memory_is_flat_and_tensorflow_is_not_imported(tmp_path: Path) -> None:
    prefix, size = saved(tmp_path / "x", {"x": np.zeros(1)}), 1 << 30
    with prefix.with_name("x.data-00000-of-00001").open("r+b") as file:
        file.truncate(size)
    crc = 0
    for _ in range(size >> 20):
        crc = extended(crc, bytes(1 << 20))
    shape = own("TensorShapeProto")(dim=[{"size": size >> 3}])

    def large(items: dict[bytes, bytes]) -> None:
        entry = own("BundleEntryProto")(dtype=2, shape=shape, size=size, crc32c=masked(crc))
        items[b"x"] = entry.SerializeToString()

    code = (
        "import sys, re, tf2bridge\n"
        "with tf2bridge.checkpoint.open(sys.argv[1]) as c: count = sum(len(piece) for piece in c.pieces('x'))\n"
        "peak = re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1]\n"
        "print(count, peak, 'tensorflow' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(rewritten(prefix, large))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    count, kibibytes, imported = done.stdout.split()
    assert (int(count), imported) == (size, "False")
    assert int(kibibytes) < 150_000_000 // 1024


@pytest.mark.parametrize("first", [1, 63, 64, 127, 128, 8191, 8192, 2_000_000])
def test_slices_whose_places_take_more_bytes_in_their_keys(first: int, tmp_path: Path) -> None:
    array = np.arange(3_000_000).astype(np.int8)
    size = len(array)
    tensors = {"x#1": array[:first], "x#2": array[first:]}
    specs = {"x#1": f"{size} 0,{first}", "x#2": f"{size} {first},{size - first}"}
    assert check_same_tensors(saved(tmp_path / "x", tensors, specs)) == 1
    with tf2bridge.checkpoint.open(tmp_path / "x") as checkpoint:
        np.testing.assert_array_equal(checkpoint["x"], array)
