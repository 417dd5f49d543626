"""Trees that mean harm: nothing of them runs, hangs, or is written elsewhere, and all that is said is text."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemods import repository
from codemods.discover import find_files
from codemods.engine import check_paths, rewrite_tree
from codemods.errors import GitFailedError, OutputUnwritableError, TooLargeError
from codemods.regular import read_regular
from codemods.results import Changed, Failed, Skipped
from tests.hostile import trees
from tests.hostile.checked import ONLY, check

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="special files, links and signals as POSIX has them")


@pytest.fixture(autouse=True)
def no_test_hangs() -> Iterator[None]:
    """Whatever waits for a pipe or a device is interrupted, and fails."""

    def late(_number: int, _frame: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


# Files that are none


def test_nothing_but_regular_files_is_read(tmp_path: Path) -> None:
    made = {path.name for path in trees.special(tmp_path)}
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    results = {Path(result.path).name: result for result in check_paths([tmp_path], ONLY)}
    assert isinstance(results.pop("a.py"), Changed)
    assert set(results) == made - {".gitignore"}
    assert all(isinstance(result, Failed | Skipped) for result in results.values())
    assert "a named pipe, not a regular file" in str(results["fifo.py"])
    assert "outside the named paths" in str(results["zero.py"])


@pytest.mark.parametrize(("name", "status"), [("pyproject.toml", 2), (".gitignore", 1)])
def test_what_says_how_to_check_is_no_pipe(
    tmp_path: Path, name: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / name)
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    result, out, _ = check(capsys, tmp_path)
    assert result == status and "a.py:2:5: TFN002" in out


def test_a_copy_holds_files_directories_and_links_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "old", tmp_path / "new"
    made = list(trees.special(source / "lib"))
    (source / "a.py").write_bytes(trees.LEGACY)
    (source / "tool").write_text("x")
    (source / "tool").chmod(0o4755)
    _, _, err = check(capsys, source, "--output", out)
    assert "tf.multiply" in (out / "a.py").read_text()
    assert stat.S_IMODE((out / "tool").stat().st_mode) == 0o755  # it would run as whoever made the copy
    links = {path.name for path in made if path.is_symlink()}
    assert {path.name for path in (out / "lib").iterdir()} == links
    assert f"{source}/lib/.gitignore: skipped: not copied: a named pipe" in err


def test_a_copy_of_more_than_there_is_room_for_is_not_begun(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with (tmp_path / "old" / "data.bin").open("wb") as file:
        file.truncate(1 << 43)
    with pytest.raises(OutputUnwritableError, match=r"takes 8796.1 GB"):
        rewrite_tree(tmp_path / "old", tmp_path / "new", ONLY)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_a_limit_holds_while_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * 100)
    assert len(read_regular(tmp_path / "a.py", 100)) == 100
    with pytest.raises(TooLargeError):
        read_regular(tmp_path / "a.py", 99)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no files here that say to be empty")
def test_a_size_that_lies_is_no_limit() -> None:
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0 and len(read_regular(path)) > 100
    with pytest.raises(TooLargeError):
        read_regular(path, 100)


def test_a_deep_tree_is_walked_and_not_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path.cwd()
    (tmp_path / "old").mkdir()
    try:
        os.chdir(tmp_path / "old")
        for _ in range(1200):  # deeper than Python's own stack
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(root)
    (tmp_path / "old" / "d" / "a.py").write_bytes(trees.LEGACY)
    assert [path.name for path in find_files([tmp_path / "old"])] == ["a.py"]
    status, _, err = check(capsys, tmp_path / "old", "--output", tmp_path / "new")
    assert status == 2 and "directories nest more than 200 deep" in err
    subprocess.run(["rm", "-rf", tmp_path / "old"], check=True)  # pytest's own removal is a recursion


# Links


def test_a_link_out_of_the_tree_is_neither_read_nor_written_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside, tree = tmp_path / "outside.py", tmp_path / "tree"
    outside.write_bytes(trees.LEGACY)
    tree.mkdir()
    (tree / "link.py").symlink_to(outside)
    (tree / "up.py").symlink_to("../outside.py")
    (tree / "a.py").write_bytes(trees.LEGACY)
    (tree / "inside.py").symlink_to("a.py")
    status, _, err = check(capsys, tree, "--fix")
    assert status == 0 and outside.read_bytes() == trees.LEGACY
    assert f"{tree}/link.py: skipped: a link to {outside}, outside the named paths" in err and "up.py: skipped" in err
    assert "tf.multiply" in (tree / "a.py").read_text() and (tree / "inside.py").is_symlink()
    check(capsys, tree / "link.py", "--fix")  # now it is named
    assert "tf.multiply" in outside.read_text() and (tree / "link.py").is_symlink()


def test_ignores_are_not_written_through_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "outside.py").write_bytes(trees.LEGACY)
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "link.py").symlink_to("../outside.py")
    check(capsys, tmp_path / "tree", "--add-ignores")
    assert (tmp_path / "outside.py").read_bytes() == trees.LEGACY


def test_a_patch_is_not_written_through_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "out.patch").symlink_to("mine")
    os.mkfifo(tmp_path / "pipe.patch")
    for name, why in {"out.patch": "a symbolic link", "pipe.patch": "a named pipe"}.items():
        status, _, err = check(capsys, tmp_path / "a.py", "--patch-out", tmp_path / name)
        assert status == 2 and why in err
    assert (tmp_path / "mine").read_text() == "mine"
    check(capsys, tmp_path / "a.py", "--patch-out", tmp_path / "new.patch")
    check(capsys, tmp_path / "a.py", "--patch-out", tmp_path / "new.patch")
    assert (tmp_path / "new.patch").read_text().count("+++ ") == 1


def test_a_program_of_another_user_is_none_of_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    (tmp_path / "a.py").chmod(0o6755)
    check(capsys, tmp_path, "--fix")
    assert stat.S_IMODE((tmp_path / "a.py").stat().st_mode) == 0o755


# git


@pytest.mark.parametrize("option", ["--fix", "--changed", "--changed=HEAD~0"])
def test_git_runs_no_program_that_a_repository_names(
    tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = trees.committed(tmp_path / "tree")
    trees.poisoned(tree, tmp_path / "ran")
    os.utime(tree / "kept.py", (1, 1))  # git would compare it with the help of a filter
    status, out, err = check(capsys, tree, option)
    assert not (tmp_path / "ran").exists()
    if option == "--fix":
        assert status == 2 and "new.py" in err and "--force" in err and "kept.py" not in err
    else:
        assert status == 1 and "new.py" in out and "kept.py" not in out


def test_git_fetches_nothing_that_a_repository_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = trees.committed(tmp_path / "tree")
    trees.poisoned(tree, tmp_path / "ran")
    for path in (tree / ".git" / "objects").glob("??/*"):
        path.unlink()
    assert check(capsys, tree, "--fix")[0] == 2
    assert check(capsys, tree, "--changed")[0] in (1, 2)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("named", ["", "bare"])
def test_a_bare_repository_among_the_files_has_no_say(
    tmp_path: Path, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = trees.committed(tmp_path / "tree")
    trees.embedded(tree / "bare", tmp_path / "ran")
    status, _, err = check(capsys, tree / named, "--fix")
    assert status == 2 and "--force" in err  # of the repository around it, nothing of this is committed
    check(capsys, tree / named, "--changed")
    assert not (tmp_path / "ran").exists()
    trees.embedded(tmp_path / "alone", tmp_path / "ran")
    assert repository.around(tmp_path / "alone") is None


@pytest.mark.parametrize("text", ["gitdir: ../evil\n", "gitdir: /dev\n", "gitdir: a\0b\n", "gitdir:\n", "x" * 9000])
def test_a_file_that_names_a_repository_gives_it_no_say(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trees.committed(tmp_path / "evil")
    trees.poisoned(tmp_path / "evil", tmp_path / "ran")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_bytes(trees.LEGACY)
    (tmp_path / "tree" / ".git").write_text(text.replace("../evil", "../evil/.git"))
    check(capsys, tmp_path / "tree", "--fix")
    check(capsys, tmp_path / "tree", "--changed")
    assert not (tmp_path / "ran").exists()


def test_a_linked_work_tree_and_a_new_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = trees.committed(tmp_path / "tree")
    trees.git(tree, "worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked" / "new.py").write_bytes(trees.LEGACY)
    status, out, _ = check(capsys, tmp_path / "linked", "--changed")
    assert status == 1 and "new.py" in out and "kept.py" not in out
    trees.git(tmp_path, "init", "-q", "empty")
    (tmp_path / "empty" / "a.py").write_bytes(trees.LEGACY)
    assert check(capsys, tmp_path / "empty", "--changed")[0] == 1
    assert check(capsys, tmp_path / "empty", "--fix")[0] == 2


def test_what_git_holds_with_other_ends_of_lines_is_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = trees.committed(tmp_path / "tree")
    (tree / "new.py").unlink()
    (tree / "kept.py").write_bytes(trees.LEGACY.replace(b"\n", b"\r\n"))
    assert check(capsys, tree, "--changed")[:2] == (0, "")
    assert check(capsys, tree, "--fix")[0] == 0


def test_the_environment_of_a_hook_is_of_no_matter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = trees.committed(tmp_path / "tree")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    status, out, _ = check(capsys, tree, "--changed")
    assert status == 1 and "new.py" in out and "kept.py" not in out


def test_git_has_a_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = trees.committed(tmp_path / "tree")
    os.mkfifo(tree / ".git" / "refs" / "heads" / "waits")
    monkeypatch.setattr(repository, "SECONDS", 0.5)
    result = repository.around(tree)
    assert result is not None
    with pytest.raises(GitFailedError, match="no answer"):
        repository.ask(result, "rev-parse", "--verify", "refs/heads/waits^{commit}")


def test_a_git_beside_the_files_is_not_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees.program(tmp_path / "git", tmp_path / "ran")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    assert repository.program() != "./git" and Path(str(repository.program())).is_absolute()
