"""`codemods` on Windows and macOS, as far as Linux can play them: their text, their paths, and what they lack."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from codemods import engine, limits, repository, systems
from codemods.discover import find_files
from codemods.engine import check_output, rewrite_tree
from codemods.errors import OutputInsideSourceError, TooCostlyError
from codemods.limits import limited
from codemods.results import Skipped
from codemods.settings import Settings
from codemods.systems import clock
from tests.other_systems import simulated
from tests.other_systems.names import WINDOWS
from tests.other_systems.simulated import OTHERS

OLD = "import tensorflow as tf\r\nx = tf.placeholder(tf.float32)  # café, 中\r\ntf.initialize_all_variables()\r\n"
PYTHON2 = "# -*- coding: latin-1 -*-\r\nimport tensorflow as tf\r\nprint 'é', tf.initialize_all_variables()\r\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A program as it lies on Windows: lines end in CRLF, in two encodings that are not the machine's."""
    tree = tmp_path / "old"
    (tree / "package").mkdir(parents=True)
    (tree / "package/__init__.py").write_bytes(b"")
    (tree / "package/model.py").write_bytes(OLD.encode())
    (tree / "train.py").write_bytes(b"from package import model\r\nif __name__ == '__main__':\r\n    model.x\r\n")
    (tree / "python2.py").write_bytes(PYTHON2.encode("latin-1"))
    return tree


def codemods(system: str, *words: object, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = simulated.run(system, "-m", "codemods", *words, cwd=cwd, stdin=stdin, without=("tensorflow",))
    assert b"Traceback" not in done.stderr, done.stderr.decode("cp1252")
    return done


def here(*words: object, cwd: Path) -> bytes:
    """What the same command prints on this system."""
    command = [sys.executable, "-m", "codemods", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, check=False).stdout


def files_of(tree: Path) -> dict[str, bytes]:
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_findings_are_those_of_linux(system: str, jobs: int, tree: Path) -> None:
    words = ("check", "old", "--output-format", "json", "--jobs", jobs)
    assert json.loads(codemods(system, *words, cwd=tree.parent).stdout) == json.loads(here(*words, cwd=tree.parent))


@pytest.mark.parametrize("system", OTHERS)
def test_files_are_rewritten_to_the_same_bytes(system: str, tree: Path) -> None:
    shutil.copytree(tree, tree.with_name("expected"))
    here("check", ".", "--fix", cwd=tree.with_name("expected"))
    assert codemods(system, "check", ".", "--fix", cwd=tree).returncode == 0
    files = files_of(tree)
    assert files == files_of(tree.with_name("expected"))
    assert all(data.count(b"\n") == data.count(b"\r\n") for data in files.values())
    assert "café, 中".encode() in files["package/model.py"] and b"\xe9" in files["python2.py"]


@pytest.mark.parametrize("system", OTHERS)
def test_a_copy_of_the_tree_and_a_baseline(system: str, tree: Path) -> None:
    assert codemods(system, "check", "old", "--output", "new", cwd=tree.parent).returncode == 0
    here("check", "old", "--output", "expected", cwd=tree.parent)
    assert files_of(tree.with_name("new")) == files_of(tree.with_name("expected"))
    codemods(system, "check", "old", "--add-ignores", cwd=tree.parent)
    assert b"# codemods: ignore[TFN001]\r\n" in (tree / "package/model.py").read_bytes()


@pytest.mark.parametrize("system", OTHERS)
def test_what_is_put_on_standard_output_is_as_it_was_but_for_its_changes(system: str, tree: Path) -> None:
    done = codemods(system, "check", "-", "--fix", cwd=tree, stdin=OLD.encode())
    assert done.stdout.endswith(b"tf.compat.v1.global_variables_initializer()\r\n")
    assert b"\r\r" not in done.stdout and "café, 中".encode() in done.stdout
    diff = codemods(system, "check", "old/package", "--diff", cwd=tree.parent).stdout
    assert b"--- a/old/package/model.py\n+++ b/old/package/model.py\n" in diff
    (tree.parent / "patch").write_bytes(diff)
    subprocess.run(["git", "apply", "--unsafe-paths", "patch"], cwd=tree.parent, check=True)
    assert b"tf.compat.v1.placeholder" in (tree / "package/model.py").read_bytes()


def test_a_page_on_standard_output_is_in_utf8_whatever_its_encoding(tree: Path) -> None:
    page = codemods(WINDOWS, "check", "old", "--output-format", "html", cwd=tree.parent).stdout
    assert b"caf&#233;, &#20013;" in page and page.isascii()


@pytest.fixture
def git(tree: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tree in a repository, with git.exe on the PATH, and another one where no PATH leads."""
    commit = "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm one"
    subprocess.run(commit, shell=True, cwd=tree, check=True)
    programs = tmp_path_factory.mktemp("programs")
    (programs / "git.exe").symlink_to(str(shutil.which("git")))
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    return tree


@pytest.mark.parametrize("system", OTHERS)
def test_git_is_asked_without_links(system: str, git: Path) -> None:
    (git / "new.py").write_bytes(OLD.encode())
    (git / "git.exe").write_text("not the user's")
    done = codemods(system, "check", ".", "--changed", cwd=git)
    assert {line.partition(b":")[0] for line in done.stdout.splitlines()} == {b"new.py"}
    refused = codemods(system, "check", ".", "--fix", cwd=git)
    assert refused.returncode == 2 and b"new.py: git has no copy of this state" in refused.stderr
    (git / "new.py").unlink()
    assert codemods(system, "check", ".", "--fix", cwd=git).returncode == 0


def test_a_program_is_never_taken_from_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "IS_WINDOWS", True)
    (tmp_path / "git.exe").write_text("")
    monkeypatch.chdir(tmp_path)
    assert systems.program("git", [str(tmp_path / "none")]) is None
    assert systems.program("git", [str(tmp_path)]) == str(tmp_path / "git.exe")
    assert repository.program() is None


@pytest.mark.parametrize(
    ("path", "kind", "name"),
    [
        ("C:\\models\\old\\train.py", PureWindowsPath, "models/old/train.py"),
        ("old\\train.py", PureWindowsPath, "old/train.py"),
        ("\\\\server\\share\\old\\train.py", PureWindowsPath, "old/train.py"),
        ("/models/old/train.py", PurePosixPath, "models/old/train.py"),
        ("old/a\\b.py", PurePosixPath, "old/a\\b.py"),
    ],
)
def test_names_in_a_diff(path: str, kind: type[PurePosixPath], name: str) -> None:
    assert systems.below(path, kind) == name


def test_paths_are_reported_with_slashes() -> None:
    assert systems.reported("C:\\old\\a.py", "\\") == "C:/old/a.py"
    assert systems.reported(Path("old/a\\b.py")) == "old/a\\b.py"


def test_a_directory_under_another_spelling_of_its_name_is_the_same(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS and Windows "Old" is "old"; here a link is, if nobody resolves it."""
    tree.with_name("OLD").symlink_to(tree)
    monkeypatch.setattr(Path, "resolve", Path.absolute)
    for out in (tree.with_name("OLD"), tree.with_name("OLD") / "package/new"):
        with pytest.raises(OutputInsideSourceError):
            check_output(tree, out) if out.name == "new" else engine.check_output(out, tree / "new")
    check_output(tree, tree.with_name("new"))


def test_links_that_cannot_be_made_are_left_out_and_named(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        error = OSError("A required privilege is not held by the client")
        error.winerror = 1314  # type: ignore[attr-defined]
        raise error

    (tree / "link.py").symlink_to("train.py")
    monkeypatch.setattr(Path, "symlink_to", refused)
    results = rewrite_tree(tree, tree.with_name("new"), Settings())
    left_out = [result for result in results if isinstance(result, Skipped)]
    assert [(Path(item.path).name, item.reason) for item in left_out] == [
        ("link.py", "not copied: a symbolic link, which you may not make here")
    ]
    assert (tree.with_name("new") / "train.py").is_file() and not (tree.with_name("new") / "link.py").exists()


def test_directories_that_lead_elsewhere_are_links(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has junctions besides symbolic links; here one of the directories is said to be one."""
    number = (tree / "package").stat().st_ino
    monkeypatch.setattr(systems, "IS_WINDOWS", True)
    monkeypatch.setattr(systems, "is_junction", lambda facts: facts.st_ino == number)
    assert sorted(path.name for path in find_files([tree])) == ["python2.py", "train.py"]


def test_trees_with_files_that_are_read_only_are_removed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "IS_WINDOWS", True)
    (tree / "train.py").chmod(0o400)
    systems.remove_tree(tree)
    assert not tree.exists()


def test_other_errors_of_a_link_are_errors(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    with pytest.raises(FileExistsError):
        systems.make_link(tmp_path / "there", tmp_path)


@pytest.fixture
def without_timers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delattr("signal.setitimer")
    monkeypatch.setattr(clock, "_LOOKS", 0.01)
    monkeypatch.setattr(clock, "_AGAIN", 0.2)
    yield
    for thread in threading.enumerate():
        if "watch" in thread.name:
            thread.join(10)
            assert not thread.is_alive()


@pytest.mark.usefixtures("without_timers")
def test_time_is_limited_without_timers_and_the_limit_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SECONDS", 0.05)
    caught = 0
    with pytest.raises(TooCostlyError), limited("a.py", 1):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                caught += 1
                if caught == 2:
                    raise
    assert caught == 2


@pytest.mark.usefixtures("without_timers")
def test_nothing_comes_after_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SECONDS", 0.0)
    for _ in range(300):
        try:
            with limited("a.py", 0):
                sum(range(2000))
        except TooCostlyError:
            pass
    sum(range(3_000_000))  # an error that was late would come here
