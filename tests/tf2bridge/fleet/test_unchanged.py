"""An item on this machine that has changed since the scan is said, whatever files it has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tf2bridge.fleet.generated import CONVERT, inventory_in, rows, run
from tests.tf2bridge.fleet.scanned import FIXTURES, by_path, scanned, unpacked
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.refusals import ChangedItemError
from tf2bridge.fleet.scanning.digests import Digest, Reading
from tf2bridge.fleet.scanning.scan import Options
from tf2bridge.fleet.unchanged import require_unchanged

_RUN = "legacy/generator_freeze/genuine/run"


def _appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def _last_byte(path: Path) -> None:
    content, newest = path.read_bytes(), path.stat().st_mtime_ns
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    os.utime(path, ns=(newest, newest + 10**9))


CHANGES: dict[str, tuple[str, str, Callable[[Path], None], str]] = {
    "an index": ("run/model.ckpt-12", "run/model.ckpt-12.index", _last_byte, "its digest is another one"),
    "the metagraph of a checkpoint": ("run/model.ckpt-12", "run/model.ckpt-12.meta", _last_byte, "digest is another"),
    "a metagraph that is gone": ("run/model.ckpt-12", "run/model.ckpt-12.meta", Path.unlink, "had 3 files, and has 2"),
    "data": ("run/model.ckpt-12", "run/model.ckpt-12.data-00000-of-00001", _appended, "bytes, and has "),
    "one of two data files": ("model.ckpt-5", "model.ckpt-5.data-00001-of-00002", Path.unlink, "files, and has "),
    "a shard": (
        "model-v1.ckpt-?????-of-00002",
        "model-v1.ckpt-00001-of-00002",
        _last_byte,
        "its digest is another one",
    ),
    "the graph of a SavedModel": ("run/saved_model", "run/saved_model/saved_model.pb", _last_byte, "digest is another"),
    "a new asset": ("run/saved_model", "run/saved_model/assets/words.txt", Path.touch, "files, and has "),
    "a program": ("program", "program/train.py", _appended, "bytes, and has "),
    "a graph": ("run/frozen.pb", "run/frozen.pb", _last_byte, "its digest is another one"),
}
"""What has changed -> path of the item, path of the file, what is done to it, and part of the error."""


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """A folder with an item of each form."""
    folder = tmp_path / "fleet"
    shutil.copytree(FIXTURES / _RUN, folder / "run")
    (folder / "run/saved_model/assets").mkdir()
    for file in (FIXTURES / "estimator").glob("model.ckpt-5.*"):
        shutil.copy(file, folder)
    unpacked("checkpoints/1.4.1/sharded.zip", tmp_path / "sharded")
    shards = sorted(path for path in (tmp_path / "sharded").rglob("*-of-*") if path.is_file())
    for shard in shards:
        shutil.copy(shard, folder)
    (folder / "program").mkdir()
    (folder / "program/setup.py").write_text("import setuptools\n")
    (folder / "program/train.py").write_text("import tensorflow as tf\n")
    return folder


@pytest.mark.parametrize("wanted", Digest)
def test_what_was_scanned_is_unchanged(fleet: Path, wanted: Digest) -> None:
    items = scanned(fleet, options=Options(Reading(wanted)))
    assert {item.digest is None for item in items if item.error is None} == {wanted is Digest.NONE}
    for item in items:
        require_unchanged(item, item.path)


def test_copies_of_another_time_are_unchanged(fleet: Path) -> None:
    items = [item for item in scanned(fleet) if item.error is None]
    for file in fleet.rglob("*"):
        os.utime(file, (0, 0))
    for item in items:
        require_unchanged(item, item.path)


def test_members_of_archives_say_no_time(tmp_path: Path) -> None:
    shutil.make_archive(str(tmp_path / "packed"), "zip", FIXTURES / _RUN)
    assert {item.modified for item in scanned(tmp_path)} == {None}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_said(fleet: Path, what: str) -> None:
    path, file, change, how = CHANGES[what]
    item = _item(fleet, path)
    require_unchanged(item, item.path)
    change(fleet / file)
    with pytest.raises(ChangedItemError, match=how):
        require_unchanged(item, item.path)


def _item(fleet: Path, path: str) -> Item:
    return by_path(fleet, scanned(fleet))[path]


def test_a_changed_checkpoint_has_no_result(fleet: Path, tmp_path: Path) -> None:
    item = _item(fleet, "run/model.ckpt-12")
    inventory = inventory_in(tmp_path / "inventory.jsonl", [item])
    _last_byte(fleet / "run/model.ckpt-12.index")
    assert run(inventory, tmp_path / "out", *CONVERT)[0] == 1
    (row,) = rows(tmp_path / "out")
    assert row["cause"] == "unreadable"
    assert row["error"] == f"{item.path}: it has changed since the scan (its digest is another one): scan again"
