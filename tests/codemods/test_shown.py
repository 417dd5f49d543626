"""What a terminal, a log and a machine are shown is nothing but text, and status 2 where it cannot be shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codemods import cli
from codemods.printable import printable, unicode_text, visible
from tests.hostile import trees
from tests.hostile.checked import ROOT, check, script

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="special files, links and signals as POSIX has them")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31m", "a\\x1b[31m"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\x9b", "\\x9b"), ("\u202egnp", "\\u202egnp"),
        ("\udcff", "\\xff"), ("\ud800", "\\ud800"), ("\U000e0041", "\\U000e0041"), ("é漢😀 x", "é漢😀 x"),
        ("::error::x", "\\x3a:error::x"), ("  ::error::x", "  \\x3a:error::x"), ("a::b", "a::b"),
        ("x ##[error]", "x #\\x23[error]"), ("##vso[task]", "#\\x23vso[task]"), ("## [a]", "## [a]"),
    ],
)  # fmt: skip
def test_text_is_nothing_but_text(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_text_for_other_formats() -> None:
    assert visible("a\tb\x1b", keep="\t") == "a\tb\\x1b"
    assert unicode_text("a\x1b\udcff\n") == "a\x1b\\xff\n"


@pytest.mark.parametrize("output_format", ["text", "json", "sarif", "github", "html"])
def test_names_are_shown_in_every_format(
    tmp_path: Path, output_format: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = trees.named_oddly(Path())
    Path("broken\x1b\n::error::.py").write_text("def f(:\n")
    os.mkfifo("pipe\x1b\n::error::.py")
    status, out, err = check(capsys, ".", "--output-format", output_format)
    assert status == 2
    for line in [*err.split("\n"), *(out.split("\n") if output_format in ("text", "html") else [])]:
        assert visible(line) == line and not line.startswith("::")
    if output_format in ("json", "sarif"):
        out.encode()
        assert "\\ud" not in out  # half a character is none: strict readers refuse it
        json.loads(out)
    if output_format == "github":
        lines = out.splitlines()
        assert len(lines) == len(made) + 2
        assert all(line.startswith(("::warning file=", "::error file=")) and visible(line) == line for line in lines)


def test_an_address_in_sarif_holds_the_bytes_of_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(os.fsdecode(b"\xff.py")).write_bytes(trees.LEGACY)
    _, out, _ = check(capsys, ".", "--output-format", "sarif")
    (result,) = json.loads(out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%FF.py"


def test_a_diff_names_one_file_a_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    name = 'a\n--- a/other.py\n+++ b/"other\\.py'.replace("/", "") + ".py"
    Path(name).write_bytes(trees.LEGACY)
    assert cli.run(["check", ".", "--patch-out", "../out.patch"]) == 1
    assert (tmp_path / "out.patch").read_bytes().count(b"\n--- ") == 0
    trees.git(tmp_path / "tree", "init", "-q")
    trees.git(tmp_path / "tree", "apply", "../out.patch")
    assert "tf.compat.v1" in Path(name).read_text() or "tf.multiply" in Path(name).read_text()


@pytest.mark.parametrize("arguments", [["rules"], ["--help"], ["check", "."], ["check", ".", "--diff"]])
def test_a_stdout_that_takes_nothing_is_status_2_and_one_line(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    reads, writes = os.pipe()
    os.close(reads)
    outs = [writes]
    if Path("/dev/full").exists():
        outs.append(os.open("/dev/full", os.O_WRONLY))
    for out in outs:
        done = script(*arguments, stdout=out, cwd=tmp_path)
        os.close(out)
        text = done.stderr.decode().splitlines()
        assert done.returncode == 2 and text[-1].startswith("codemods: standard output: "), done
        assert "Traceback" not in done.stderr.decode()


def test_letters_that_stdout_has_not_are_escaped(tmp_path: Path) -> None:
    (tmp_path / "é漢.py").write_bytes(trees.LEGACY)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "codemods", "check", "."]
    done = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 1 and done.stdout.startswith(b"\\xe9\\u6f22.py:")


def test_no_module_of_the_tree_is_imported(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("open('ran', 'w')\n")
    (tmp_path / "evil-1.dist-info").mkdir()
    (tmp_path / "evil-1.dist-info" / "METADATA").write_text("Name: evil\nVersion: 1\n")
    (tmp_path / "evil-1.dist-info" / "entry_points.txt").write_text("[codemods.rules]\nx = click:x\n")
    done = script("check", ".", stdout=subprocess.PIPE, cwd=tmp_path)
    assert done.returncode == 0 and not (tmp_path / "ran").exists(), done.stderr
