"""Stores: the same items as on this machine, in memory and on an S3 server."""

from __future__ import annotations

import dataclasses
import socket
import uuid
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tf2bridge.fleet.scanned import FIXTURES, scanned
from tf2bridge.errors import NoSuchFileError
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.refusals import StoreError
from tf2bridge.fleet.scanning.digests import Digest, Reading
from tf2bridge.fleet.scanning.scan import Options
from tf2bridge.fleet.unpacking import Room

fsspec = pytest.importorskip("fsspec", reason="pip install 'tf2bridge[stores]'")

_RUN = FIXTURES / "legacy/generator_freeze/genuine/run"


def _filled(system: Any, root: str) -> str:
    """The files of a genuine run in a store, beside others."""
    for path in sorted(_RUN.rglob("*")):
        if path.is_file():
            system.pipe_file(f"{root}/run/{path.relative_to(_RUN).as_posix()}", path.read_bytes())
    system.pipe_file(f"{root}/run/notes.dat", b"a" * 100_000)
    system.pipe_file(f"{root}/run/empty.ckpt", b"")
    return str(system.unstrip_protocol(f"{root}/run"))


@pytest.fixture
def memory() -> str:
    return _filled(fsspec.filesystem("memory"), f"/{uuid.uuid4().hex}")


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """A folder on a local S3 server. The workers find the server through the environment, as those of a user do."""
    pytest.importorskip("s3fs", reason="pip install s3fs")
    moto = pytest.importorskip("moto.server", reason="pip install 'moto[server]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=port)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        system = fsspec.filesystem("s3")
        system.mkdir("models")
        yield _filled(system, "models/team")
    server.stop()


def _as_here(items: list[Item], root: str) -> dict[str, Item]:
    """Items by their path below the root, with paths as on this machine, and without times, which stores do not say."""
    here = {}
    for item in items:
        name = item.path.removeprefix(root).lstrip("/")
        here[name] = dataclasses.replace(item, path=name, modified=None)
    return here


@pytest.mark.parametrize("digest", [Digest.CHECKSUMS, Digest.FULL])
def test_the_items_in_memory_are_those_of_the_folder(memory: str, digest: Digest) -> None:
    options = Options(Reading(digest))
    inside, outside = (
        _as_here(scanned(memory, options=options), memory),
        _as_here(scanned(_RUN, options=options), str(_RUN)),
    )
    empty = inside.pop("empty.ckpt")
    assert (empty.kind, empty.error) == (
        Kind.CHECKPOINT,
        "empty.ckpt: it is empty; copy the checkpoint again from where it came from, all its files",
    )
    assert inside == outside


def test_the_items_on_an_s3_server_are_those_of_the_folder(s3: str) -> None:
    inside, outside = _as_here(scanned(s3), s3), _as_here(scanned(_RUN), str(_RUN))
    assert inside.pop("empty.ckpt").error
    assert inside == outside
    assert s3.startswith("s3://")


def test_patterns_prefixes_and_files_of_a_store(memory: str) -> None:
    (prefix,) = scanned(f"{memory}/model.ckpt-12")
    (pattern,) = scanned(f"{memory}/*.index")
    assert prefix == pattern
    assert (prefix.path, prefix.kind) == (f"{memory}/model.ckpt-12", Kind.CHECKPOINT)
    with pytest.raises(NoSuchFileError):
        scanned(f"{memory}/gone.pb")
    with pytest.raises(NoSuchFileError):
        scanned(f"{memory}/*.gone")


def test_an_archive_in_a_store_is_looked_into(memory: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(_RUN / "frozen.pb", "inner/frozen.pb")
    system, path = fsspec.core.url_to_fs(memory)
    system.put_file(str(tmp_path / "a.zip"), f"{path}/a.zip")
    (item,) = scanned(f"{memory}/a.zip")
    assert (item.path, item.kind, item.error) == (f"{memory}/a.zip!inner/frozen.pb", Kind.FROZEN, None)


def test_a_file_that_is_too_large_to_copy_is_told(memory: str) -> None:
    (item,) = scanned(f"{memory}/frozen.pb", options=Options(room=Room(bytes=100)))
    assert item.error is not None
    assert "more than 100 bytes" in item.error


def test_an_unknown_store_is_an_error() -> None:
    with pytest.raises(StoreError, match="nothing://a/b: Protocol not known: nothing"):
        scanned("nothing://a/b")
