"""Archives: what is inside is told as if it were unpacked, and what is hostile costs one item and no more."""

from __future__ import annotations

import dataclasses
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.tf2bridge.fleet.scanned import FIXTURES, by_path, scanned
from tf2bridge.fleet.inventory import Kind
from tf2bridge.fleet.scanning.scan import Options
from tf2bridge.fleet.unpacking import Room

_RUN = FIXTURES / "legacy/generator_freeze/genuine/run"
_FROZEN = (_RUN / "frozen.pb").read_bytes()
_SMALL = Options(room=Room(bytes=1 << 20, members=100))


def _tar(path: Path, members: dict[str, bytes]) -> Path:
    how = {".tgz": "gz", ".tar": ""}.get(path.suffix, path.suffix.removeprefix("."))
    with tarfile.open(path, f"w:{how}") as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def _zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _archive(path: Path, members: dict[str, bytes]) -> Path:
    return _zip(path, members) if path.suffix == ".zip" else _tar(path, members)


def _run_files() -> dict[str, bytes]:
    files = sorted(path for path in _RUN.rglob("*") if path.is_file())
    return {f"run/{path.relative_to(_RUN).as_posix()}": path.read_bytes() for path in files}


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz", "a.tar.gz", "a.tar.bz2", "a.tar.xz"])
def test_the_items_in_an_archive_are_those_of_the_folder(name: str, tmp_path: Path) -> None:
    path = _archive(tmp_path / name, _run_files())
    outside = {f"!run/{inner}": item for inner, item in by_path(_RUN, scanned(_RUN)).items()}
    inside = by_path(path, scanned(path))
    assert inside.keys() == outside.keys()
    for inner, item in inside.items():
        here = dataclasses.replace(outside[inner], path="", modified=None)
        assert dataclasses.replace(item, path="", series=None) == here


def test_names_that_lead_out_are_refused_and_the_others_go_on(tmp_path: Path) -> None:
    names = ["../out.pb", "/tmp/out.pb", "a/../../out.pb", "C:out.pb", "good.pb"]  # noqa: S108 (a name in an archive)
    for path in (
        _tar(tmp_path / "a.tar.gz", dict.fromkeys(names, _FROZEN)),
        _zip(tmp_path / "a.zip", dict.fromkeys(names, _FROZEN)),
    ):
        errors = {inner.rpartition("!")[2]: item.error for inner, item in by_path(tmp_path, scanned(path)).items()}
        assert errors.pop("good.pb") is None
        assert set(errors) == set(names) - {"good.pb"}
        assert all(error and error.endswith("has a name that leads out of the archive") for error in errors.values())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar.gz", "a.zip"]


def test_links_devices_and_second_members_are_refused(tmp_path: Path) -> None:
    path = _tar(tmp_path / "a.tar", {"a.pb": _FROZEN, "./a.pb": b"again"})
    with tarfile.open(path, "a") as archive:
        for name, kind in (("link.pb", tarfile.SYMTYPE), ("hard.pb", tarfile.LNKTYPE), ("pipe.pb", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert {inner: item.error for inner, item in by_path(path, scanned(path)).items()} == {
        "!a.pb": None,
        "!./a.pb": "./a.pb: cannot be unpacked: File exists",
        "!link.pb": "link.pb: is a link",
        "!hard.pb": "hard.pb: is a link",
        "!pipe.pb": "pipe.pb: is no regular file",
    }


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_a_bomb_is_one_failed_item_with_its_limit(name: str, tmp_path: Path) -> None:
    path = _archive(tmp_path / name, {"a.pb": _FROZEN, "bomb.h5": bytes(8 << 20)})
    (item,) = scanned(path, options=_SMALL)
    assert (item.path, item.kind) == (str(path), Kind.ARCHIVE)
    assert item.error == f"{name}: unpacks to more than 1,048,576 bytes, the limit for an archive"


def test_too_many_members_are_one_failed_item(tmp_path: Path) -> None:
    path = _tar(tmp_path / "a.tar", {f"{number}.txt": b"" for number in range(101)})
    (item,) = scanned(path, options=_SMALL)
    assert item.error == "a.tar: has more than 100 members, the limit for an archive"


def test_an_encrypted_member_is_told(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.pb": _FROZEN})
    content = bytearray(path.read_bytes())
    content[6] |= 1  # the flags of the local header, and of the directory's entry (APPNOTE.TXT 4.4.4)
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    (item,) = scanned(path)
    assert (item.path, item.error) == (f"{path}!a.pb", "a.pb: is encrypted")


def test_an_archive_in_an_archive_is_told_and_not_looked_into(tmp_path: Path) -> None:
    inner = _zip(tmp_path / "inner.zip", {"a.pb": _FROZEN}).read_bytes()
    path = _tar(tmp_path / "outer.tgz", {"b.pb": _FROZEN, "inner.zip": inner})
    items = by_path(path, scanned(path))
    assert items["!b.pb"].error is None
    assert items["!inner.zip"].error == (
        "outer.tgz!inner.zip: an archive inside an archive is not looked into; "
        "unpack the outer one, and scan the folder"
    )


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar"])
def test_a_cut_archive_is_told(name: str, tmp_path: Path) -> None:
    path = _archive(tmp_path / name, _run_files())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    (item,) = scanned(path)
    assert item.kind is Kind.ARCHIVE
    assert item.error is not None
    assert "the archive is damaged" in item.error


def test_a_size_that_lies_is_told(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.pb": _FROZEN})
    content = bytearray(path.read_bytes())
    at = content.rindex(b"PK\x01\x02") + 24  # the size of the content in the directory's entry
    content[at : at + 4] = b"\x01\x00\x00\x00"
    path.write_bytes(content)
    (item,) = scanned(path)
    assert item.error is not None
    assert "the archive is damaged" in item.error
