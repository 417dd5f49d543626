"""`tf2bridge seal`: checksums beside files that have none, written once, compared whenever a file is read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tf2bridge
from tf2bridge.cli import cli
from tf2bridge.errors import BridgeError, NoSuchFileError
from tf2bridge.formats import sealing, sidecars
from tf2bridge.formats.refusals import ChecksumError, UnsealableError
from tf2bridge.formats.sealing import State


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fleet: a graph, a SavedModel and two shards of a checkpoint; what is in them does not matter here."""
    for name in (
        "frozen.pb",
        "saved/saved_model.pb",
        "saved/variables/variables.index",
        "saved/assets/words.txt",
        "model.ckpt-7.index",
        "model.ckpt-7.meta",
        "model.ckpt-7.data-00000-of-00002",
        "model.ckpt-7.data-00001-of-00002",
        "model.ckpt-70.index",
    ):
        (tmp_path / "fleet" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fleet" / name).write_text(name)
    monkeypatch.chdir(tmp_path / "fleet")
    return tmp_path / "fleet"


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, ["seal", *arguments], standalone_mode=False)
    assert done.exception is None, done.exception
    return int(done.return_value or 0), done.stdout, done.stderr


def test_a_fleet_is_sealed_once(folder: Path) -> None:
    assert run("frozen.pb", "saved", "model.ckpt-7") == (
        0,
        "frozen.pb: sealed, 1 file\nsaved: sealed, 3 files\nmodel.ckpt-7: sealed, 4 files\n",
        "",
    )
    done = subprocess.run(["sha256sum", "-c", *map(str, folder.glob("*.sha256"))], capture_output=True, check=False)
    assert (done.returncode, done.stdout.count(b": OK\n")) == (0, 8)
    written = {path: path.stat().st_mtime_ns for path in folder.glob("*.sha256")}
    for options in ((), ("--check",), ("--force",)):  # again, by a pattern of the shell, which gives the sidecars too
        status, result, _ = run(
            "frozen.pb", "frozen.pb.sha256", "saved", "saved.sha256", "model.ckpt-7.sha256", *options
        )
        assert (status, result.count("as it was sealed"), len(result.splitlines())) == (0, 3, 3)
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*.sha256")} == written


@pytest.mark.parametrize("path", ["frozen.pb", "saved", "model.ckpt-7"])
def test_what_changed_is_named_and_its_seal_stays(path: str, folder: Path) -> None:
    run(path)
    before = (folder / f"{path}.sha256").read_text()
    changed = sealing.check(Path(path)).sidecar.read_text().split()[1]
    (folder / changed).write_text("other")
    for options in (("--check",), ()):
        status, result, _ = run(path, *options)
        assert (status, result.splitlines()[1]) == (1, f"  changed: {changed}")
    assert (folder / f"{path}.sha256").read_text() == before
    assert run(path, "--force")[0] == 0
    assert run(path, "--check")[0] == 0


def test_missing_and_further_files_are_differences(folder: Path) -> None:
    run("saved", "model.ckpt-7")
    (folder / "saved/assets/words.txt").unlink()
    (folder / "saved/assets/new.txt").touch()
    (folder / "model.ckpt-7.data-00001-of-00002").unlink()
    status, result, _ = run("--check", "saved", "model.ckpt-7", "--output-format", "json")
    rows = {row["path"]: row for row in json.loads(result)}
    assert status == 1
    assert {row["is"] for row in rows.values()} == {"different"}
    assert rows["saved"]["missing"] == ["saved/assets/words.txt"]
    assert rows["saved"]["extra"] == ["saved/assets/new.txt"]
    assert rows["model.ckpt-7"]["missing"] == ["model.ckpt-7.data-00001-of-00002"]


def test_a_whole_path_that_is_gone_is_a_difference(folder: Path) -> None:
    run("frozen.pb")
    (folder / "frozen.pb").unlink()
    assert run("--check", "frozen.pb.sha256")[:2] == (
        1,
        "frozen.pb: DIFFERENT, 0 files\n  missing: frozen.pb\n",
    )


def test_nothing_compared_is_no_success(folder: Path) -> None:
    assert run("--check", "frozen.pb")[:2] == (1, "frozen.pb: NOT SEALED, 1 file\n")
    (folder / "frozen.pb.sha256").write_text("")
    assert run("--check", "frozen.pb")[0] == 1
    (folder / "empty").mkdir()
    assert run("empty")[0] == 2
    assert run("nothing")[0] == 2
    assert run("--check", "nothing", "frozen.pb")[0] == 2
    with pytest.raises(NoSuchFileError):
        sealing.check(folder / "nothing")
    for arguments in ([], ["--check", "--force", "frozen.pb"]):
        done = subprocess.run(
            [sys.executable, "-m", "tf2bridge", "seal", *arguments],
            env={**os.environ, "PYTHONPATH": str(Path(tf2bridge.__file__).parents[1])},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 2, done


def test_one_bad_path_hides_no_other(folder: Path) -> None:
    os.mkfifo(folder / "pipe.pb")
    status, result, error = run("pipe.pb", "frozen.pb")
    assert (status, result) == (2, "frozen.pb: sealed, 1 file\n")
    assert error.count("\n") == 1 and "pipe.pb" in error


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "saved/saved_model.pb").chmod(0)
    status, _, error = run("saved")
    assert status == 2 and "saved_model.pb" in error
    assert not (folder / "saved.sha256").exists()


def test_links_that_leave_the_directory_are_refused(folder: Path) -> None:
    (folder / "saved/here.txt").symlink_to("assets/words.txt")
    assert sealing.seal(folder / "saved").files == 4
    (folder / "link").symlink_to("saved")
    assert sealing.seal(folder / "link").state is State.SEALED  # what the user names is given
    for name, target in (("out", "../frozen.pb"), ("folder", "assets"), ("gone", "nothing")):
        link = folder / "saved" / name
        link.symlink_to(target)
        with pytest.raises(UnsealableError, match=f"saved/{name}: it cannot be sealed"):
            sealing.check(folder / "saved")
        link.unlink()


def test_the_sidecar_itself_is_no_way_out(folder: Path) -> None:
    """A sidecar that is a link is replaced, not written through; files that it names elsewhere are not opened."""
    other = folder / "other.txt"
    other.write_text("kept")
    (folder / "frozen.pb.sha256").symlink_to(other)
    with pytest.raises(ChecksumError, match="no line of sha256sum"):
        sealing.seal(folder / "frozen.pb")
    (folder / "frozen.pb.sha256").unlink()
    os.mkfifo(folder / "pipe")
    (folder / "frozen.pb.sha256").write_text(f"{'0' * 64}  pipe\n{'0' * 64}  ../fleet/pipe\n{'0' * 64}  /dev/zero\n")
    assert sealing.check(folder / "frozen.pb").extra == ("frozen.pb",)
    (folder / "frozen.pb.sha256").unlink()
    os.mkfifo(folder / "frozen.pb.sha256")
    with pytest.raises(BridgeError, match="FIFO"):
        sidecars.verify(folder / "frozen.pb")
    assert other.read_text() == "kept"


@pytest.mark.parametrize("name", ["two\nlines.pb", "back\\slash.pb", " spaces ", "*star", "é.pb", "cr\r.pb"])
def test_every_name_can_be_sealed(name: str, folder: Path) -> None:
    (folder / name).write_text("x")
    assert sealing.seal(folder / name).state is State.SEALED
    assert sealing.check(folder / name).state is State.UNCHANGED
    done = subprocess.run(["sha256sum", "-c", f"./{name}.sha256"], capture_output=True, check=False)
    assert done.returncode == 0 or "\r" in name, done  # sha256sum before 9.0 knows no escape for it


def test_a_name_that_is_not_utf_8(folder: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(folder) + b"/\xff.pb"))
    path.write_text("x")
    with pytest.raises(UnsealableError, match="its name is not UTF-8"):
        sealing.seal(path)
    assert run(str(path))[0] == 2


def test_a_directory_above_and_its_own_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "saved")
    assert run(".") == (0, ".: sealed, 3 files\n", "")
    assert run("..", "--check")[:2] == (1, "..: NOT SEALED, 9 files\n")
    assert (folder / "saved.sha256").is_file()
    assert run("/")[0] == 2


def test_checkpoints_are_compared_when_they_are_opened(tmp_path: Path) -> None:
    arrays = tmp_path / "arrays"
    arrays.mkdir()
    np.save(arrays / "w.npy", np.arange(4.0))
    sealing.seal(arrays)
    with tf2bridge.checkpoint.open(arrays) as result:
        assert len(result) == 1
    content = bytearray((arrays / "w.npy").read_bytes())
    content[-1] ^= 1  # in a value: .npy files have no checksum
    (arrays / "w.npy").write_bytes(content)
    with pytest.raises(ChecksumError, match="has another SHA-256"):
        tf2bridge.checkpoint.open(arrays)
    sealing.seal(arrays, force=True)
    np.save(arrays / "planted.npy", np.arange(4.0))
    with pytest.raises(ChecksumError, match=r"planted\.npy: is not listed"):
        tf2bridge.checkpoint.open(arrays)


def test_a_seal_of_a_directory_above_counts(folder: Path) -> None:
    sealing.seal(folder)
    sidecars.verify(folder / "saved/saved_model.pb")
    (folder / "saved/variables/variables.index").write_text("other")
    sidecars.verify(folder / "frozen.pb")
    with pytest.raises(ChecksumError, match=r"variables.index: has another SHA-256 .*fleet\.sha256"):
        sidecars.verify(folder / "saved/saved_model.pb")
    (folder / "new.pb").touch()
    with pytest.raises(ChecksumError, match="is not listed"):
        sidecars.verify(folder / "new.pb")


def test_the_checksum_of_an_archive_beside_its_directory_is_none_of_the_directory(folder: Path) -> None:
    (folder.parent / "fleet.sha256").write_text(f"{'0' * 64}  fleet.tar.gz\n")
    sidecars.verify(folder / "frozen.pb")


@pytest.mark.usefixtures("folder")
def test_it_needs_no_tensorflow() -> None:
    code = (
        "import sys; from tf2bridge.cli import main\n"
        "try: main(['seal', 'saved'])\n"
        "finally: print('tensorflow' in sys.modules)"
    )
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(Path(tf2bridge.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "False", done
