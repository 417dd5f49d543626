"""Links, special files, names that are no text, bombs and files that change: each is told, and nothing hangs."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.hostile.bombs.all_of_them import BOMBS
from tests.tf2bridge.fleet.scanned import FIXTURES, by_path, scanned
from tf2bridge.fleet.inventory import Kind, item_of
from tf2bridge.fleet.scanning.digests import Reading
from tf2bridge.fleet.scanning.groups import Form, Group
from tf2bridge.fleet.scanning.scan import Options
from tf2bridge.fleet.scanning.telling import tell
from tf2bridge.fleet.scanning.workers import Limits

_RUN = FIXTURES / "legacy/generator_freeze/genuine/run"
_QUICK = (
    *("a_circle", "a_chain_of_objects", "a_dataset_with_a_nought", "a_deep_manifest", "a_large_shape_with_a_nought"),
    *("a_sparse_graph", "an_event_of_a_lying_length", "many_dimensions", "many_meta_graphs", "thousands_of_slices"),
    *("npz_with_a_long_header", "one_place_for_many_tensors", "safetensors_with_a_nought", "texts_of_lying_sizes"),
)
_READ = {"a_circle", "a_large_shape_with_a_nought", "thousands_of_slices"}
"""Those whose headers are in order; what is wrong shows only when values are read or the graph is run."""


def test_links_and_special_files_are_told(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.copy(_RUN / "frozen.pb", outside)
    tree = tmp_path / "tree"
    (tree / "folder").mkdir(parents=True)
    shutil.copy(_RUN / "frozen.pb", tree / "folder")
    (tree / "circle").symlink_to(tree)
    (tree / "dangling.pb").symlink_to("gone.pb")
    (tree / "inside.pb").symlink_to("folder/frozen.pb")
    (tree / "loop.pb").symlink_to("loop.pb")
    (tree / "out").symlink_to(outside)
    (tree / "out.pb").symlink_to(outside / "frozen.pb")
    os.mkfifo(tree / "pipe.pb")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(tree / "socket.pb"))
    items = by_path(tree, scanned(tree))
    assert {path: (item.error or "")[:40] for path, item in items.items()} == {
        "dangling.pb": "dangling.pb: a symbolic link to nothing",
        "folder/frozen.pb": "",
        "inside.pb": "",
        "loop.pb": "loop.pb: a symbolic link to nothing",
        "out": "out: a symbolic link that leads out of t",
        "out.pb": "out.pb: a symbolic link that leads out o",
        "pipe.pb": "pipe.pb: is a FIFO, but only regular fil",
        "socket.pb": "socket.pb: is a socket, but only regular",
    }
    assert items["inside.pb"].duplicate_of == f"{tree}/folder/frozen.pb"


def test_names_that_are_no_text_are_kept(tmp_path: Path) -> None:
    names = [b"\xff.pb", b"a\nb.pb", b"\x1b[1m.pb", "\u202egnp.pb".encode(), b"a'\"</script>.pb".replace(b"/", b"_")]
    for name in names:
        shutil.copy(_RUN / "frozen.pb", Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)))
    items = scanned(tmp_path)
    assert {os.fsencode(item.path).rpartition(b"/")[2] for item in items} == set(names)
    assert all(item_of(item.line()) == item and item.error is None for item in items)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    (item,) = scanned(tmp_path)
    assert item.kind is Kind.FOLDER
    assert item.error == "Permission denied"


def test_a_file_that_changes_while_it_is_read_is_told(tmp_path: Path) -> None:
    shutil.copy(_RUN / "frozen.pb", tmp_path)

    def change() -> None:
        with (tmp_path / "frozen.pb").open("ab") as file:
            file.write(b"!" * 100)

    told = tell(Group(Form.FILE, str(tmp_path), "frozen.pb", ("frozen.pb",)), Reading(), change)
    assert told is not None
    assert told.item.error == "frozen.pb: changed while it was read; scan it again when nothing writes to it"


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    told = tell(Group(Form.FILE, str(tmp_path), "a.pb", ("a.pb",)), Reading(), lambda: None)
    assert told is not None
    assert told.item.error == "No such file or directory"


@pytest.mark.parametrize("kept", ["index", "data-00000-of-00001"])
def test_a_checkpoint_without_a_part_is_told(kept: str, tmp_path: Path) -> None:
    shutil.copy(_RUN / f"model.ckpt-12.{kept}", tmp_path)
    (item,) = scanned(tmp_path)
    assert (item.path, item.kind) == (f"{tmp_path}/model.ckpt-12", Kind.CHECKPOINT)
    assert item.error is not None
    assert item.error.startswith("model.ckpt-12")


@pytest.mark.parametrize("name", ["a.pb", "a.h5", "a.ckpt", "model.ckpt-5", "a.keras", "a.tflite", "a.npz", "a.zip"])
@pytest.mark.parametrize("content", [b"", b"<html>404</html>", b"version https://git-lfs.github.com/spec/v1\n"])
def test_files_with_the_name_of_a_model_and_other_content_are_told(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    (item,) = scanned(tmp_path)
    assert item.error


def test_files_that_are_cut_off_are_told(tmp_path: Path) -> None:
    for file in ("frozen.pb", "model.ckpt-12.index", "model.ckpt-12.data-00000-of-00001", "saved_model/saved_model.pb"):
        content = (_RUN / file).read_bytes()
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(content[: len(content) * 2 // 3])
    items = by_path(tmp_path, scanned(tmp_path))
    assert items.keys() == {"frozen.pb", "model.ckpt-12", "saved_model"}
    assert all(item.error for item in items.values())


def test_a_file_that_takes_too_much_memory_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    shutil.copy(_RUN / "frozen.pb", tmp_path)
    shutil.copy(_RUN / "frozen.pb", tmp_path / "large.pb")
    os.truncate(tmp_path / "large.pb", 400 << 20)
    items = by_path(tmp_path, scanned(tmp_path, options=Options(limits=Limits(memory=200 << 20))))
    assert {path: item.error for path, item in items.items()} == {
        "frozen.pb": None,
        "large.pb": "reading it takes more memory than it may; permit more with --memory",
    }


def test_bombs_are_told(tmp_path: Path) -> None:
    _check_bombs(tmp_path, _QUICK, _READ)


@pytest.mark.soak
def test_all_bombs_end_within_the_limits(tmp_path: Path) -> None:
    _check_bombs(tmp_path, BOMBS, None)


def _check_bombs(folder: Path, names: Iterable[str], read: set[str] | None) -> None:
    for name in names:
        (folder / name).mkdir()
        BOMBS[name](folder / name)
    items = scanned(folder, options=Options(jobs=2))
    assert not any("bug" in (item.error or "") or "ended" in (item.error or "") for item in items)
    if read is not None:
        told = {item.path.removeprefix(f"{folder}/").partition("/")[0]: item for item in items}
        assert told.keys() == set(names)
        assert {name for name, item in told.items() if item.error is None} == read
