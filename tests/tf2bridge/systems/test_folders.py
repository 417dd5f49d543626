"""Directories that are held by their names, as on Windows, with each of the locks that a system may have."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tf2bridge.checkpoint.writing import atomic
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.refusals import BusyDestinationError, ForeignWorkFolderError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.systems import folders, locks

WORK = ".new.tf2bridge"
FORMS = ("checkpoint", "npz")


def locking(descriptor: int, _mode: int, _bytes: int) -> None:
    """`msvcrt.locking`, of the whole file."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


LOCKS = {"msvcrt": SimpleNamespace(locking=locking, LK_NBLCK=2), "file": None}


@pytest.fixture(params=LOCKS)
def lock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A system without `fcntl`, and with msvcrt or nothing at all."""
    monkeypatch.setattr(folders, "_BY_DESCRIPTOR", False)
    monkeypatch.setattr(locks, "msvcrt", LOCKS[request.param])
    monkeypatch.setattr(locks, "fcntl", None)
    return str(request.param)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    np.savez(place / "old.npz", weights=np.arange(6.0, dtype=np.float32))
    return place


def check_written(place: Path) -> None:
    with open_checkpoint(place / "new") as checkpoint:
        assert [value.tolist() for name, value in checkpoint.items() if "weights" in name] == [[0, 1, 2, 3, 4, 5]]
    assert not list(place.glob(".*"))


@pytest.mark.usefixtures("lock")
@pytest.mark.parametrize("form", FORMS)
def test_a_checkpoint_is_written_and_replaced(form: str, place: Path) -> None:
    for force in (False, True):
        convert(place / "old.npz", place / "new", format=form, force=force)
        check_written(place)


@pytest.mark.usefixtures("lock")
def test_two_writers_of_one_destination(place: Path) -> None:
    busy = pytest.raises(BusyDestinationError, match="another process is writing it")
    with atomic.replacing(place / "new", place / "new.index", durable=True), busy:
        convert(place / "old.npz", place / "new")
    convert(place / "old.npz", place / "new")
    check_written(place)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.tf2bridge.systems import test_folders as test
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.systems import folders, locks
folders._BY_DESCRIPTOR, locks.msvcrt, locks.fcntl = False, test.LOCKS[sys.argv[1]], None
move = folders._Named.move
def then_killed(*arguments):
    move(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
folders._Named.move = then_killed
convert(Path("old.npz"), Path("new"), format="npz")
"""


def test_what_a_killed_process_left_is_put_in_order(lock: str, place: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run([sys.executable, "-c", KILLED, lock], cwd=place, env=environment, check=False)
    assert (place / WORK / locks.NAME).is_file()
    convert(place / "old.npz", place / "new", format="npz")
    check_written(place)


PLANTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "link to a directory": (lambda work: work.symlink_to(".."), "is a symbolic link"),
    "link to nothing": (lambda work: work.symlink_to("nothing"), "is a symbolic link"),
    "file": (lambda work: work.write_text("mine"), "is no directory"),
    "directory": (lambda work: (work / "mine").mkdir(parents=True), "holds what tf2bridge did not write there"),
}


@pytest.mark.usefixtures("lock")
@pytest.mark.parametrize("kind", PLANTED)
def test_what_somebody_put_there_is_refused_and_stays(kind: str, place: Path) -> None:
    plant, result = PLANTED[kind]
    plant(place / WORK)
    with pytest.raises(ForeignWorkFolderError, match=result):
        convert(place / "old.npz", place / "new", format="npz")
    assert os.path.lexists(place / WORK) and (kind != "directory" or (place / WORK / "mine").is_dir())


@pytest.mark.parametrize("by_descriptor", [True, False])
def test_links_in_a_directory_are_removed_and_not_followed(
    by_descriptor: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_BY_DESCRIPTOR", by_descriptor)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/mine.txt").write_text("mine")
    (tmp_path / "folder/inner").mkdir(parents=True)
    (tmp_path / "folder/inner/link").symlink_to(tmp_path / "kept")
    holder = folders.opened(tmp_path)
    folders.discard(holder, "folder")
    holder.close()
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == ["kept", "kept/mine.txt"]


@pytest.mark.usefixtures("lock")
def test_a_junction_of_windows_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / WORK).mkdir()
    monkeypatch.setattr(folders, "is_junction", lambda facts: facts.st_ino == (place / WORK).stat().st_ino)
    with pytest.raises(ForeignWorkFolderError):
        convert(place / "old.npz", place / "new", format="npz")
