"""What somebody put where checkpoints are written: nothing of it is followed, believed or deleted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.checkpoint.writing import atomic
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.directories import convert_directory
from tf2bridge.checkpoint.writing.refusals import DamagedJournalError, DamagedRecordError, ForeignWorkFolderError
from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.whole_file import write_whole

WORK = ".new.tf2bridge"
FORMS = ("checkpoint", "npz")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory to write in, with a source, and a file beside it that must stay; and another directory likewise."""
    place = tmp_path / "place"
    for folder in (place, tmp_path / "elsewhere"):
        folder.mkdir()
        (folder / "mine.txt").write_text("mine")
    np.savez(place / "old.npz", weights=np.arange(6.0, dtype=np.float32))
    return place


def what_is_there(folder: Path) -> dict[str, object]:
    return {
        path.relative_to(folder).as_posix(): path.readlink()
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in sorted(folder.rglob("*"))
    }


def check_refused(place: Path, error: type[BridgeError], message: str, form: str = "checkpoint") -> None:
    """Nothing at all is changed, in the directory and beside it."""
    before = what_is_there(place.parent)
    with pytest.raises(error, match=message):
        convert(place / "old.npz", place / "new", format=form)
    assert what_is_there(place.parent) == before


PLANTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "link to a directory": (lambda work: work.symlink_to("../elsewhere"), "is a symbolic link"),
    "link to a file": (lambda work: work.symlink_to("mine.txt"), "is a symbolic link"),
    "link to nothing": (lambda work: work.symlink_to("nothing"), "is a symbolic link"),
    "link to itself": (lambda work: work.symlink_to(work.name), "is a symbolic link"),
    "file": (lambda work: work.write_text("mine"), "is no directory"),
    "pipe": (os.mkfifo, "is no directory"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", PLANTED)
def test_what_is_no_directory_is_refused(kind: str, form: str, place: Path) -> None:
    plant, result = PLANTED[kind]
    plant(place / WORK)
    check_refused(place, ForeignWorkFolderError, result, form)


@pytest.mark.parametrize("name", ["mine.txt", "moving.json", "made-as-1", "new.index"])
def test_a_directory_that_holds_what_tf2bridge_did_not_write_is_refused(name: str, place: Path) -> None:
    (place / WORK).mkdir()
    journal = {"others": ["mine.txt"], "last": "new.index", "old": ["mine.txt"]}
    (place / WORK / name).write_text(json.dumps(journal))
    check_refused(place, ForeignWorkFolderError, "holds what tf2bridge did not write there")


def test_a_directory_of_another_user_is_refused(place: Path) -> None:
    (place / WORK).mkdir()
    if os.geteuid():
        pytest.skip("only root can make one")
    os.chown(place / WORK, 12345, 12345)
    check_refused(place, ForeignWorkFolderError, "belongs to another user")


def left_behind(place: Path) -> Path:
    """A work directory as a killed process leaves it."""
    work = place / WORK
    work.mkdir()
    (work / f"made-as-{work.stat().st_ino}").touch()
    return work


JOURNALS = {
    "another file": {"others": [], "last": "new.index", "old": ["mine.txt"]},
    "an absolute path": {"others": [], "last": "new.index", "old": ["/etc/passwd"]},
    "a path out": {"others": ["../elsewhere/mine.txt"], "last": "new.index", "old": []},
    "a path out under its name": {"others": [], "last": "new.index", "old": ["new.data-00000-of-00001/../mine.txt"]},
    "a neighbour": {"others": [], "last": "old.index", "old": []},
    "a line more": {"others": [], "last": "new.index\n", "old": []},
    "a number": {"others": [], "last": 3, "old": []},
    "a text of names": {"others": "mine.txt", "last": "new.index", "old": []},
    "no list": {"others": None, "last": "new.index", "old": []},
    "too little": {"last": "new.index"},
    "too much": {"others": [], "last": "new.index", "old": [], "more": 1},
    "a list": [],
}


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_is_about_the_files_of_its_destination(name: str, place: Path) -> None:
    (left_behind(place) / "moving.json").write_text(json.dumps(JOURNALS[name]))
    check_refused(place, DamagedJournalError, r"moving.json in it .*nothing was changed; delete this directory")


@pytest.mark.parametrize("content", [b"", b"garbage", b"\xff\xfe", b"[" * 100_000, b'{"last": 1' + b"0" * 5000 + b"}"])
def test_a_journal_that_cannot_be_read(content: bytes, place: Path) -> None:
    (left_behind(place) / "moving.json").write_bytes(content)
    check_refused(place, DamagedJournalError, "moving.json in it cannot be read")


@pytest.mark.parametrize("plant", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_a_journal_that_is_no_file(plant: Callable[[Path], object], place: Path) -> None:
    plant(left_behind(place) / "moving.json")
    check_refused(place, DamagedJournalError, "moving.json in it cannot be read")


def test_what_a_killed_process_left_is_removed_and_links_in_it_are_not_followed(place: Path) -> None:
    work = left_behind(place)
    (work / "new.data-00000-of-00001").write_bytes(b"half")
    (work / "link").symlink_to("../../elsewhere")
    (work / "folder/inner").mkdir(parents=True)
    (work / "folder/link").symlink_to("../../../elsewhere")
    convert(place / "old.npz", place / "new")
    assert what_is_there(place.parent / "elsewhere") == {"mine.txt": b"mine"}
    assert not (place / WORK).exists()
    with open_checkpoint(place / "new") as checkpoint:
        assert len(checkpoint)


def test_a_directory_that_is_exchanged_while_it_is_held_changes_nothing(place: Path) -> None:
    final = place / "new.npz"
    with pytest.raises(NotADirectoryError), atomic.replacing(final, final, durable=True) as replacement:
        (place / ".new.npz.tf2bridge").rename(place / "moved")
        (place / ".new.npz.tf2bridge").symlink_to("../elsewhere")
        replacement.part(final).write_bytes(b"whole")
        replacement.move()
    assert what_is_there(place.parent / "elsewhere") == {"mine.txt": b"mine"}
    assert final.read_bytes() == b"whole"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="a system whose descriptors have no names")
def test_the_names_of_errors_are_those_of_the_destination(place: Path) -> None:
    final = place / "new.npz"
    with pytest.raises(FileNotFoundError) as caught, atomic.replacing(final, final, durable=False) as replacement:
        (replacement.folder / "absent").read_bytes()
    assert caught.value.filename == str(final)


@pytest.fixture
def trained(place: Path) -> Path:
    """A directory of two checkpoints, and where they are to be converted to."""
    (place / "run").mkdir()
    for steps in (1, 2):
        convert(place / "old.npz", place / f"run/model-{steps}", format="saver")
    (place / "to").mkdir()
    return place


RECORDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "link": (lambda path: path.symlink_to("../mine.txt"), "is a symbolic link"),
    "garbage": (lambda path: path.write_text("garbage"), "is no JSON"),
    "deep": (lambda path: path.write_text("[" * 100_000), "is no JSON"),
    "bytes": (lambda path: path.write_bytes(b"\xff"), "is no JSON"),
    "list": (lambda path: path.write_text("[]"), "is not as tf2bridge writes it"),
    "numbers": (lambda path: path.write_text('{"ckpt-1": 1}'), "is not as tf2bridge writes it"),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_a_record_of_conversions_that_tf2bridge_did_not_write(kind: str, trained: Path) -> None:
    plant, result = RECORDS[kind]
    plant(trained / "to/.tf2bridge.json")
    before = what_is_there(trained)
    with pytest.raises(DamagedRecordError, match=f"{result}.*delete it, and pass --force"):
        convert_directory(trained / "run", trained / "to")
    assert what_is_there(trained) == before


def test_a_pipe_as_record_is_not_waited_for(trained: Path) -> None:
    os.mkfifo(trained / "to/.tf2bridge.json")
    with pytest.raises(BridgeError, match="is a FIFO"):
        convert_directory(trained / "run", trained / "to")


def test_links_at_the_names_of_files_of_the_moment_are_not_followed(trained: Path) -> None:
    for name in (".tf2bridge.json", "checkpoint"):
        for beside in (f".{name}.{os.getpid()}.new", f"{name}.new", f".{name}.new"):
            (trained / "to" / beside).symlink_to("../mine.txt")
    assert len(convert_directory(trained / "run", trained / "to")) == 2
    assert (trained / "mine.txt").read_text() == "mine"


def test_a_link_in_place_of_a_page_is_replaced_and_not_written_through(place: Path) -> None:
    (place / "page.html").symlink_to("mine.txt")
    (place / f".page.html.{os.getpid()}.new").symlink_to("mine.txt")
    write_whole(place / "page.html", "page")
    assert (place / "mine.txt").read_text() == "mine"
    assert (place / "page.html").read_text() == "page"
    assert not (place / "page.html").is_symlink()
