"""Tables of leveldb: those that cannot be read, and why, are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.checksums import extended, masked
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.table import FOOTER, TRAILER, Table
from tf2bridge.formats.checkpoints.wire import varint

ENTRIES = [(b"", b"head"), *((f"layer_{number:04d}/kernel".encode(), b"v" * number) for number in range(700))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with (tmp_path / "table").open("wb") as file:
        write_table(file, ENTRIES)
    return tmp_path / "table"


def test_keys_and_values(path: Path) -> None:
    table = Table(path)
    assert list(table.items()) == ENTRIES
    for key, value in (ENTRIES[0], ENTRIES[1], ENTRIES[350], ENTRIES[-1]):
        result = table.find(key)
        assert result is not None
        assert table.read(result) == value
    assert table.find(b"layer_0000") is table.find(b"zebra") is None
    table.close()


def sealed(content: bytes, offset: int, block: bytes, kind: bytes = b"\x00") -> bytes:
    """The table with another block of the same size there, its checksum made to fit."""
    end = kind + masked(extended(0, block + kind)).to_bytes(4, "little")
    return content[:offset] + block + end + content[offset + len(block) + TRAILER :]


def test_a_compressed_block(path: Path) -> None:
    content = path.read_bytes()
    footer = content[-FOOTER:]
    offset, at = varint(footer, 0)
    size, _ = varint(footer, at)
    path.write_bytes(sealed(content, offset, content[offset : offset + size], kind=b"\x01"))
    with pytest.raises(UnsupportedCheckpointError, match=r"compressed \(snappy\)"):
        Table(path)


def test_keys_that_are_out_of_order(path: Path) -> None:
    with path.open("wb") as file:
        write_table(file, [(b"", b""), (b"a", b"1"), (b"b", b"2")])
    content = path.read_bytes()
    end = content.index(b"b2") + 2
    block = content[: end + 8]  # the entries, where the one restart is, and that it is one
    swapped = block.replace(b"a1", b"x1").replace(b"b2", b"a2").replace(b"x1", b"b1")
    path.write_bytes(sealed(content, 0, swapped))
    table = Table(path)
    with pytest.raises(DamagedCheckpointError, match="b'a' does not follow b'b'"):
        list(table.items())
    table.close()


@pytest.mark.parametrize("size", [0, 20, 47, 48, 4000])
def test_a_table_that_is_cut_off(size: int, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedCheckpointError, match="cut off"):
        Table(path)
