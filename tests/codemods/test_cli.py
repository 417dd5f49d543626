"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

OLD = "import tensorflow as tf\nfor i in xrange(3):\n    print i\n"
NEW = "import tensorflow as tf\nfor i in range(3):\n    print(i)\n"
DIVIDED = "print 'x'\ny = a / b\n"


def codemods(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "codemods", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "old"
    root.mkdir()
    (root / "train.py").write_text(OLD)
    (root / "model.py").write_text("import tensorflow as tf\n")
    return root


def check_one_line(done: subprocess.CompletedProcess[bytes], status: int, *words: str) -> None:
    """The user sees one line of plain words, and no traceback."""
    assert done.returncode == status, done
    message = done.stderr.decode().strip().splitlines()[-1]
    assert "Traceback" not in done.stderr.decode()
    assert all(word in message for word in words), message


def test_check_lists_and_writes_nothing(tree: Path) -> None:
    done = codemods("check", tree, "--select", "PY2")
    assert done.returncode == 1
    assert (
        done.stdout.decode()
        == f"{tree}/train.py:1:1: PY2001 this is Python 2: line 3 is not Python 3 "
        + (done.stdout.decode().split("line 3 is not Python 3 ")[1])
    )
    assert (tree / "train.py").read_text() == OLD


def test_fix_rewrites_and_a_second_run_has_nothing_to_do(tree: Path) -> None:
    (tree / "train.py").chmod(0o755)
    done = codemods("check", "--fix", tree, "--select", "PY2")
    assert done.returncode == 0, done
    assert (tree / "train.py").read_text() == NEW
    assert stat.S_IMODE((tree / "train.py").stat().st_mode) == 0o755
    assert sorted(path.name for path in tree.iterdir()) == ["model.py", "train.py"]
    again = codemods("check", "--fix", tree, "--select", "PY2")
    assert (again.returncode, again.stdout) == (0, b"")


def test_fix_leaves_what_needs_a_person(tree: Path) -> None:
    (tree / "train.py").write_text(DIVIDED)
    done = codemods("check", "--fix", tree, "--select", "PY2")
    assert done.returncode == 1
    assert b"[by hand]" in done.stdout and b"[fixed]" in done.stdout
    assert "# TODO(codemods PY2002): " in (tree / "train.py").read_text()


def test_diff_can_be_applied_and_writes_nothing(tree: Path) -> None:
    done = codemods("check", "--diff", ".", "--select", "PY2", cwd=tree)
    assert done.returncode == 1
    assert (tree / "train.py").read_text() == OLD
    subprocess.run(["patch", "-p1"], input=done.stdout, cwd=tree, check=True, capture_output=True)
    assert (tree / "train.py").read_text() == NEW


def test_output_copies_the_whole_tree(tree: Path, tmp_path: Path) -> None:
    (tree / "data").mkdir()
    (tree / "data" / "words.txt").write_bytes(b"\xff\x00")
    (tree / ".git").mkdir()
    out = tmp_path / "new" / "tree"
    done = codemods("check", tree, "--output", out, "--select", "PY2")
    assert done.returncode == 0, done
    assert (out / "train.py").read_text() == NEW
    assert (out / "data" / "words.txt").read_bytes() == b"\xff\x00"
    assert not (out / ".git").exists()
    assert (tree / "train.py").read_text() == OLD


def test_wrong_outputs(tree: Path, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    check_one_line(codemods("check", tree, "--output", full), 2, "full", "not empty")
    check_one_line(codemods("check", tree, "--output", tree / "out"), 2, "overlaps")
    check_one_line(codemods("check", tree, "--output", full / "mine.txt" / "out"), 2, "cannot be written")
    check_one_line(codemods("check", tree / "train.py", "--output", tmp_path / "x"), 2, "one directory")
    assert [path.name for path in full.iterdir()] == ["mine.txt"]


def test_wrong_usage(tree: Path) -> None:
    check_one_line(codemods("check", tree / "nowhere"), 2, "nowhere", "no such file")
    check_one_line(codemods("check", tree, "--fix", "--diff"), 2, "choose one")
    check_one_line(codemods("check", tree, "--from-version", "3.0"), 2, "3.0", "0.12")
    check_one_line(codemods("check", tree, "--select", "TFN99"), 2, "TFN99")
    check_one_line(codemods("explain", "PY201"), 2, "did you mean PY2001")
    check_one_line(codemods("check", tree, "--target", "tf3"), 2, "tf3")


def test_a_tree_without_tensorflow_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = codemods("check", tmp_path)
    assert done.returncode == 0
    assert b"found no use of TensorFlow" in done.stderr


def test_files_that_cannot_be_processed_do_not_stop_the_rest(tree: Path) -> None:
    (tree / "broken.py").write_text("def f(:\n")
    (tree / "bytes.py").write_bytes(b"s = '\xe9'\n")
    (tree / "nul.py").write_bytes(b"\0")
    (tree / "link.py").symlink_to(tree / "nowhere.py")
    done = codemods("check", "--fix", tree, "--select", "PY2")
    assert done.returncode == 2
    assert (tree / "train.py").read_text() == NEW
    assert (tree / "broken.py").read_text() == "def f(:\n"
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("codemods: ")]
    assert len(lines) == 4
    assert "4 files could not be processed" in done.stderr.decode()


def test_a_read_only_file_is_left_whole(tree: Path) -> None:
    (tree / "train.py").chmod(0o444)
    done = codemods("check", "--fix", tree, "--select", "PY2")
    assert done.returncode == 2
    assert b"read-only" in done.stderr
    assert (tree / "train.py").read_text() == OLD


def test_standard_input(tree: Path) -> None:
    done = codemods("check", "-", "--fix", "--select", "PY2", stdin=OLD.replace("\n", "\r\n").encode())
    assert (done.returncode, done.stdout.decode()) == (0, NEW.replace("\n", "\r\n"))
    shown = codemods("check", "-", "--diff", "--select", "PY2", stdin=OLD.encode())
    assert shown.stdout.startswith(b"--- a/<stdin>\n+++ b/<stdin>\n")
    check_one_line(codemods("check", "-", tree, stdin=b""), 2, "cannot be combined")


def test_json_is_complete(tree: Path) -> None:
    (tree / "note.ipynb").write_text('{"metadata": {"language_info": {"name": "R"}}, "cells": []}')
    done = codemods("check", tree, "--output-format", "json", "--select", "PY2")
    report = json.loads(done.stdout)
    (finding,) = report["findings"]
    assert (finding["code"], finding["line"], finding["safety"], finding["fixed"]) == ("PY2001", 1, "safe", False)
    assert [item["path"] for item in report["skipped"]] == [str(tree / "note.ipynb")]
    assert (report["status"], report["changed"], report["files"]) == (1, 1, 2)


def test_statistics_count_each_rule(tree: Path) -> None:
    (tree / "model.py").write_text("print 1\n")
    done = codemods("check", tree, "--statistics", "--select", "PY2")
    assert done.stdout == b"2\tPY2001\tpython2\t--fix\n"


def test_large_files_are_skipped_with_a_line(tree: Path) -> None:
    done = codemods("check", tree, "--max-size", "0.00003", "--select", "PY2")
    assert done.returncode == 0
    assert b"train.py: skipped" in done.stderr


def test_configuration_is_read_and_the_command_line_wins(tree: Path) -> None:
    (tree / "pyproject.toml").write_text("[tool.codemods]\nselect = ['PY2002']\nignore = ['PY2001']\n")
    check_one_line(codemods("check", tree, "--ignore", "PY2001"), 2, "could not be processed")
    assert codemods("check", tree / "model.py").returncode == 0
    assert codemods("check", tree, "--select", "PY2", "--ignore", "PY2002").returncode == 1
    (tree / "pyproject.toml").write_text("[tool.codemods]\ntargets = 'compat'\n")
    check_one_line(codemods("check", tree), 2, "pyproject.toml", "targets", "target")


def test_uncommitted_work_is_not_written_over(tree: Path) -> None:
    for arguments in (["init", "-q"], ["add", "model.py"]):
        subprocess.run(["git", *arguments], cwd=tree, check=True, capture_output=True)
    check_one_line(codemods("check", "--fix", tree, "--select", "PY2"), 2, "train.py", "--force")
    assert (tree / "train.py").read_text() == OLD
    assert codemods("check", "--fix", "--force", tree, "--select", "PY2").returncode == 0
    assert (tree / "train.py").read_text() == NEW


def test_rules_and_explain() -> None:
    listed = codemods("rules").stdout.decode()
    assert "TFG001\tsafe\tgraph-mode\t" in listed
    assert {row["code"] for row in json.loads(codemods("rules", "--output-format", "json").stdout)} >= {"PY2001"}
    assert 'Before:\n    print "loss", 0.5\nAfter:' in codemods("explain", "py2001").stdout.decode()


def test_help_loads_neither_tensorflow_nor_libcst() -> None:
    code = (
        "import sys; from codemods.cli import run; status = run(['--help']);"
        "assert not {'tensorflow', 'libcst', 'fissix', 'rich'} & set(sys.modules), sorted(sys.modules);"
        "sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    assert b"check" in done.stdout


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from codemods import cli, command

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "check", interrupted)
    assert cli.run(["check", "."]) == 130
    assert capsys.readouterr().err.strip().splitlines()[-1].startswith("codemods: interrupted")
