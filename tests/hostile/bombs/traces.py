"""Traces that ask for much memory or time."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.hostile.bombs.archives import npy, raw_archive
from tests.hostile.bombs.registry import bomb, file_in
from tests.hostile.layouts import of_archive, of_trace
from tests.hostile.sound import TRACE
from tests.tf2bridge.proof.traces.damaging import sealed


def _trace(folder: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> tuple[str, Path]:
    content = dict(of_archive.split(TRACE.read_bytes()))
    manifest = json.loads(content["manifest.json"])
    change(manifest, content)
    content["manifest.json"] = sealed(manifest)
    return file_in(folder, "a.trace", of_trace.join(list(content.items())), "trace")


@bomb
def a_trace_member_that_inflates(folder: Path) -> tuple[str, Path]:
    kind, path = _trace(folder, lambda *_: None)
    content = dict(of_archive.split(path.read_bytes()))
    name = next(name for name in content if name.endswith(".npy"))
    stored = []
    for item, data in content.items():
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        if item != name:
            stored.append((item, packer.compress(data) + packer.flush(), len(data), zlib.crc32(data)))
            continue
        piece, packed, crc = bytes(8 << 20), [], 0
        for _ in range(256):
            packed.append(packer.compress(piece))
            crc = zlib.crc32(piece, crc)
        stored.append((item, b"".join(packed) + packer.flush(), 2 << 30, crc))
    raw_archive(path, stored)
    return kind, path


@bomb
def a_trace_of_a_lying_shape(folder: Path) -> tuple[str, Path]:
    def change(manifest: dict[str, Any], opened: dict[str, bytes]) -> None:
        opened[manifest["values"][0]["member"]] = npy((1 << 40,), data=bytes(8))
        manifest["values"][0]["shape"] = [1 << 40]

    return _trace(folder, change)


@bomb
def a_trace_of_texts_over_one_another(folder: Path) -> tuple[str, Path]:
    def change(manifest: dict[str, Any], opened: dict[str, bytes]) -> None:
        opened["arrays/texts.npy"] = npy((1 << 20,), "|u1", bytes(1 << 20))
        places = np.array([0, 1 << 20] * 10_000, np.int64)
        opened["arrays/places.npy"] = npy((len(places),), "<i8", places.tobytes())
        row = manifest["values"][0]
        row.update(kind="string", dtype="string", shape=[len(places) - 1])
        row["members"] = ["arrays/texts.npy", "arrays/places.npy"]
        manifest["members"] += [{"name": name, "bytes": 0} for name in row["members"]]

    return _trace(folder, change)


@bomb
def a_trace_with_a_slow_pattern(folder: Path) -> tuple[str, Path]:
    def change(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
        manifest["intermediate"] = ["(a+)+$"]
        manifest["calls"][0]["intermediate"] = [{"name": "a" * 60 + "b", "value": None}]

    return _trace(folder, change)


@bomb
def a_deep_manifest(folder: Path) -> tuple[str, Path]:
    import hashlib

    content = dict(of_archive.split(TRACE.read_bytes()))
    body = b'{"argv": ' + b"[" * 200_000
    content["manifest.json"] = body + b',\n "sha256": "' + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'
    return file_in(folder, "a.trace", of_archive.join(list(content.items())), "trace")


@bomb
def a_large_manifest(folder: Path) -> tuple[str, Path]:
    kind, path = _trace(folder, lambda manifest, _: manifest.update(notes=["a"] * 8_000_000))
    opened = of_archive.split(path.read_bytes())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in opened:
            archive.writestr(name, content)
    return kind, path
