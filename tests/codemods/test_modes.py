"""Ways to run `codemods check`: which rules and files, in how many processes, and what becomes of the result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from codemods import cli, registry
from codemods.engine import check_paths
from codemods.errors import PluginError
from codemods.parallel import shares
from codemods.results import Changed, Failed
from codemods.rule import Rule
from codemods.rules.names.renamed import rule as renamed
from codemods.settings import Settings
from codemods.source import SourceFile

MODEL = "import tensorflow as tf\ny = tf.mul(a, b)\n"


def git(tree: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=tree, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "lib").mkdir(parents=True)
    (root / "lib" / "model.py").write_text(MODEL)
    (root / "train.py").write_text("from lib.model import *\nz = tf.mul(y, y)\n")
    return root


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    status = cli.run(["check", *map(str, arguments)])
    return status, *capsys.readouterr()


def test_rules_of_structure_are_applied_only_by_name() -> None:
    assert not Settings().wants("TFS001")
    assert not Settings(select=("TF",), unsafe_fixes=True).wants("TFS001")
    assert Settings(select=("TFS",)).wants("TFS001") and not Settings(select=("TFS",)).wants("TFN001")
    more = Settings(extend_select=("TFS001",))
    assert more.wants("TFS001") and more.wants("TFN001") and not more.wants("TFS002")


def test_per_file_ignores(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "pyproject.toml").write_text('[tool.codemods.per-file-ignores]\n"lib/*" = ["tfn", "TFG"]\n')
    _, out, _ = run(capsys, tree, "--select", "TFN002")
    assert [line.split(":")[0] for line in out.splitlines()] == [f"{tree}/train.py"]
    (tree / "pyproject.toml").write_text('[tool.codemods.per-file-ignores]\n"lib/*" = "TFN"\n')
    status, _, err = run(capsys, tree)
    assert status == 2 and "per-file-ignores must be a table" in err


def test_changed_takes_what_git_sees_as_changed(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "a")
    assert run(capsys, tree, "--changed")[:2] == (0, "")
    (tree / "new.py").write_text(MODEL)
    (tree / "train.py").write_text("from lib.model import *\nz = tf.mul(y, 1)\n")
    status, out, _ = run(capsys, tree, "--select", "TFN002", "--changed")
    assert status == 1
    assert [line.split(":")[0] for line in out.splitlines()] == [f"{tree}/new.py", f"{tree}/train.py"]
    assert run(capsys, tree, "--select", "TFN002", "--changed=HEAD")[1] == out
    status, _, err = run(capsys, tree, "--changed=nowhere")
    assert status == 2 and "no such revision" in err


def test_changed_outside_git_is_one_line(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, tree, "--changed")
    assert status == 2 and "not in a git work tree" in err


def test_ignored_files_have_no_copy_in_git(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "init", "-q")
    (tree / ".gitignore").write_text("train.py\n")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "a")
    status, _, err = run(capsys, tree / "train.py", "--fix")
    assert status == 2 and "--force" in err


def test_patch_out_is_what_diff_prints(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "old.py").write_bytes("# coding: latin-1\r\nimport tensorflow as tf\r\ntf.mul('é')".encode("latin-1"))
    patch = tmp_path / "p.diff"
    run(capsys, tree, "--select", "TFN002", "--patch-out", patch)
    assert b"\xe9" in patch.read_bytes()
    before = (tree / "old.py").read_bytes()
    subprocess.run(
        ["patch", "--binary", "-p1", "-d", "/", "-i", str(patch)], check=True, capture_output=True, cwd=tmp_path
    )
    assert (tree / "old.py").read_bytes() == before.replace(b"tf.mul", b"tf.multiply")


def test_a_baseline_silences_what_is_there(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "import tensorflow as tf\r\nx = '''\r\n''', tf.mul(a, '''\r\n'''), \\\r\n  tf.sub(a, b)\r\n"
    (tree / "odd.py").write_bytes(text.encode())
    status, out, err = run(capsys, tree, "--select", "TFN002", "--add-ignores")
    assert (status, out) == (0, "") and "4 findings ignored in 3 files" in err
    assert run(capsys, tree, "--select", "TFN002")[:2] == (0, "")
    assert (tree / "lib/model.py").read_text() == MODEL.replace("b)\n", "b)  # codemods: ignore[TFN002]\n")
    (tree / "train.py").write_text((tree / "train.py").read_text() + "tf.sub(a, b)\n")
    assert len(run(capsys, tree, "--select", "TFN002")[1].splitlines()) == 1
    assert run(capsys, tree, "--select", "TFN002", "--add-ignores")[0] == 0


@pytest.mark.parametrize("jobs", [2, 3])
def test_several_processes_find_the_same(tree: Path, jobs: int) -> None:
    for number in range(9):
        (tree / f"m{number}.py").write_text(f"from lib.model import *\nx{number} = tf.mul({number}, 'é')\nprint 1\n")
        (tree / f"n{number}.py").write_text(
            f"import tensorflow as tf\ntf.{['mul', 'multiply'][number % 2]}\n" + "#\n" * number
        )
    (tree / "bad.py").write_text("def f(:\n")
    (tree / "requirements.txt").write_text("tensorflow-gpu==1.4\n")
    alone = list(check_paths([tree], Settings()))
    assert [result for result in check_paths([tree], Settings(), jobs) if not isinstance(result, Failed)] == [
        result for result in alone if not isinstance(result, Failed)
    ]
    assert len(alone) == 22


@pytest.mark.skipif(sys.platform != "linux", reason="the rule is known to a process that was forked only")
def test_a_process_that_dies_loses_its_files_only(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codemods import batch

    real = batch.check_source

    def dying(prepared: object, *rest: object) -> object:
        if prepared.source.path.endswith("model.py"):  # type: ignore[attr-defined]
            os._exit(9)
        return real(prepared, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(batch, "check_source", dying)
    results = {Path(result.path).name: result for result in check_paths([tree], Settings(), 2)}
    assert isinstance(results["train.py"], Changed)
    lost = results["model.py"]
    assert isinstance(lost, Failed) and "exit status 9" in lost.error


def test_files_are_dealt_evenly() -> None:
    sources = [SourceFile(str(size), "x" * size) for size in (9000, 100, 3000, 200, 5000, 50)]
    dealt = [[int(source.path) for source in share] for share in shares(sources, 2)]
    assert sorted(sum(share) for share in dealt) == [8150, 9200]  # a file costs something even if it is short
    assert all(share == sorted(share, key=[9000, 100, 3000, 200, 5000, 50].index) for share in dealt)


def test_plugins_add_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Rule("OWN001", "mine", "s", "w", renamed.safety, renamed.on, renamed.find, renamed.examples)
    point = EntryPoint("own", "nowhere:rules", "codemods.rules")
    monkeypatch.setattr(EntryPoint, "load", lambda _self: (mine,))
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == "codemods.rules" else [])
    registry.all_rules.cache_clear()
    try:
        assert registry.rule_of("own001") is mine
        monkeypatch.setattr(EntryPoint, "load", lambda _self: 3)
        registry.all_rules.cache_clear()
        with pytest.raises(PluginError, match="own"):
            registry.all_rules()
    finally:
        monkeypatch.undo()
        registry.all_rules.cache_clear()


def test_requirements_follow_the_rewritten_files(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "requirements.txt").write_text("tensorflow==1.4\n")
    status, out, _ = run(capsys, tree / "requirements.txt")
    assert status == 1 and "REQ001" in out and "[--fix --unsafe-fixes]" in out
    (tree / "train.py").write_text("import tensorflow as tf\nimport tf2bridge.v1\n")
    run(capsys, tree, "--fix", "--unsafe-fixes")
    assert (tree / "requirements.txt").read_text() == "tf2bridge[tf]\n"


def test_notebooks_on_standard_input(tree: Path) -> None:
    cell = {
        "cell_type": "code",
        "source": MODEL.splitlines(keepends=True),
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    data = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 0}).encode()
    done = subprocess.run(
        [sys.executable, "-m", "codemods", "check", "-", "--fix", "--select", "TFN002"],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tree,
    )
    assert done.stdout == data.replace(b"tf.mul", b"tf.multiply"), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_a_bar_is_drawn_on_a_terminal_only(tree: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-m", "codemods", "check", str(tree)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=False, env=environment)
    os.close(theirs)
    drawn = b""
    try:
        while part := os.read(ours, 4096):
            drawn += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert done.returncode == 1 and b"codemods" in drawn and b"\x1b[" in drawn
    plain = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert b"\x1b[" not in plain.stderr and plain.stdout == done.stdout
