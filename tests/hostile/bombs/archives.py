"""Archives of NumPy and Keras, and safetensors, that ask for much memory or time."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from pathlib import Path

from tests.hostile.bombs.registry import bomb, file_in


def npy(shape: object, descr: str = "<f4", data: bytes = b"", version: int = 1) -> bytes:
    """An array of this header and these bytes."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(100) + b"\n"
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + data


def npz_in(folder: Path, arrays: dict[str, bytes], how: int = zipfile.ZIP_STORED) -> tuple[str, Path]:
    """An archive of these members."""
    with zipfile.ZipFile(folder / "a.npz", "w", how) as archive:
        for name, content in arrays.items():
            archive.writestr(name, content)
    return "arrays", folder / "a.npz"


@bomb
def npz_of_negative_sizes(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": npy((-1, -4), data=bytes(16))})


@bomb
def npz_of_a_truth(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": npy((True,), data=bytes(4))})


@bomb
def npz_with_a_nought(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": npy((1 << 62, 0))})


@bomb
def npz_of_values_without_bytes(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": npy((1 << 40,), "|S0")})


@bomb
def npz_with_a_long_header(folder: Path) -> tuple[str, Path]:
    return npz_in(folder, {"a.npy": b"\x93NUMPY\x02\x00" + (0xFFFFFFFF).to_bytes(4, "little") + b"{"})


@bomb
def npz_with_a_deep_header(folder: Path) -> tuple[str, Path]:
    text = b"-" * 9900 + b"1\n"
    return npz_in(folder, {"a.npy": b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text})


@bomb
def npz_that_inflates(folder: Path) -> tuple[str, Path]:
    head = npy((3 << 30,), "|u1")
    return _inflating(folder / "a.npz", "a.npy", head, 3 << 30, "checkpoint")


def _inflating(path: Path, name: str, head: bytes, size: int, kind: str) -> tuple[str, Path]:
    """An archive with one member of so many noughts behind a head, packed without holding them."""
    packer, packed, crc = zlib.compressobj(9, zlib.DEFLATED, -15), [], zlib.crc32(head)
    packed.append(packer.compress(head))
    piece = bytes(8 << 20)
    for _ in range(size // len(piece)):
        packed.append(packer.compress(piece))
        crc = zlib.crc32(piece, crc)
    packed.append(packer.flush())
    data, content = b"".join(packed), len(head) + size // len(piece) * len(piece)
    raw_archive(path, [(name, data, content, crc)])
    return kind, path


def raw_archive(path: Path, stored: list[tuple[str, bytes, int, int]]) -> None:
    """Members as name, packed bytes, claimed size and checksum."""
    made, entries = b"", b""
    for name, data, size, crc in stored:
        fields = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 0, crc, len(data), min(size, 0xFFFFFFFE), len(name), 0)
        entries += b"PK\x01\x02" + struct.pack("<H", 20) + fields + struct.pack("<HHHLL", 0, 0, 0, 0, len(made))
        entries += name.encode()
        made += b"PK\x03\x04" + fields + name.encode() + data
    end = struct.pack("<HHHHLLH", 0, 0, len(stored), len(stored), len(entries), len(made), 0)
    path.write_bytes(made + entries + b"PK\x05\x06" + end)


@bomb
def npz_whose_members_share_their_bytes(folder: Path) -> tuple[str, Path]:
    npz_in(folder, {"a.npy": npy((250 << 20,), "|u1", bytes(250 << 20))}, zipfile.ZIP_DEFLATED)
    content = (folder / "a.npz").read_bytes()
    at = content.rindex(b"PK\x01\x02")
    entry, end = content[at : content.rindex(b"PK\x05\x06")], content[content.rindex(b"PK\x05\x06") :]
    many = b"".join(entry.replace(b"a.npy", f"{number:05}".encode()) for number in range(2000))
    counts = struct.pack("<HHL", 2000, 2000, len(many))
    (folder / "a.npz").write_bytes(content[:at] + many + end[:8] + counts + end[16:])
    return "checkpoint", folder / "a.npz"


@bomb
def keras_that_inflates(folder: Path) -> tuple[str, Path]:
    return _inflating(folder / "a.keras", "model.weights.h5", b"\x89HDF\r\n\x1a\n", 3 << 30, "checkpoint")


@bomb
def npy_of_a_sparse_file(folder: Path) -> tuple[str, Path]:
    (folder / "a.npy").write_bytes(npy((1 << 40,), "<f4"))
    os.truncate(folder / "a.npy", 1 << 41)
    return "checkpoint", folder


@bomb
def safetensors_with_a_long_header(folder: Path) -> tuple[str, Path]:
    header = b'{"__metadata__":{"a":"' + b"b" * 60_000_000 + b'"}}'
    return file_in(folder, "a.safetensors", len(header).to_bytes(8, "little") + header, "checkpoint")


@bomb
def safetensors_with_a_nought(folder: Path) -> tuple[str, Path]:
    header = json.dumps({"a": {"dtype": "F32", "shape": [1 << 62, 0], "data_offsets": [0, 0]}}).encode()
    return file_in(folder, "a.safetensors", len(header).to_bytes(8, "little") + header, "arrays")


@bomb
def safetensors_of_many_dimensions(folder: Path) -> tuple[str, Path]:
    header = json.dumps({"a": {"dtype": "F32", "shape": [1] * 500_000, "data_offsets": [0, 4]}}).encode()
    return file_in(folder, "a.safetensors", len(header).to_bytes(8, "little") + header + bytes(4), "arrays")
