"""What a terminal, a log and the next program of a pipe get: text alone, and the truth about what was written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tf2bridge.hostile_names import CONTROLS, check_only_text
from tf2bridge.cli import main

ROOT = Path(__file__).parents[2]
TF2BRIDGE = f"{sys.executable} -m tf2bridge"


def shell(command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs `tf2bridge` in a line of bash, as $TF2BRIDGE."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TF2BRIDGE": TF2BRIDGE, **environment}
    return subprocess.run(
        ["bash", "-c", command], check=False, capture_output=True, cwd=cwd, timeout=300, env=variables
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    np.savez(tmp_path / "model.npz", weights=np.zeros(3, np.float32))
    return tmp_path


PRINTING = ("inspect model.npz", "compare model.npz model.npz", "recorder", "--help")


@pytest.mark.parametrize("command", PRINTING)
@pytest.mark.parametrize(
    ("stdout", "why"),
    [
        ("> /dev/full", "standard output: No space left on device"),
        ("| true", "standard output: Broken pipe"),
        (">&-", "standard output: Bad file descriptor"),
    ],
)
def test_output_that_is_lost_is_an_error(stdout: str, why: str, command: str, folder: Path) -> None:
    # The reader has gone before anything is written.
    line = f"{{ sleep 0.2; $TF2BRIDGE {command}; echo $? >status; }} {stdout}; cat status >&2"
    done = shell(line, folder)
    assert done.stderr.decode().splitlines() == [f"tf2bridge: error: {why}", "2"]


def test_errors_that_cannot_be_said_are_errors(folder: Path) -> None:
    for command in ("inspect absent 2> /dev/full", "inspect model.npz > /dev/full 2>&-", "no_command 2> /dev/full"):
        assert shell(f"$TF2BRIDGE {command}", folder).returncode == 2


def test_files_do_not_get_the_number_of_a_closed_output(folder: Path) -> None:
    done = shell("$TF2BRIDGE convert model.npz new.npz --to npz <&- >&- 2>&-", folder)
    assert done.returncode == 0
    assert np.load(folder / "new.npz")["weights"].tolist() == [0, 0, 0]


@pytest.mark.parametrize("command", ["inspect model.npz", "plan model.npz --into shapes.json"])
def test_names_in_an_encoding_that_has_not_their_letters(command: str, folder: Path) -> None:
    np.savez(folder / "model.npz", poids_ж=np.zeros(3, np.float32))
    (folder / "shapes.json").write_text('{"poids_ж": [3]}', "utf-8")
    done = shell(f"$TF2BRIDGE {command}", folder, PYTHONIOENCODING="latin-1:strict")
    assert done.returncode == 0, done.stderr
    assert rb"poids_\u0436" in done.stdout


def test_names_that_are_no_utf8(folder: Path) -> None:
    (folder / "model.npz").rename(os.fsdecode(os.fsencode(folder) + b"/mod\xe8le.npz"))
    for form, given in (("text", rb"mod\xe8le.npz"), ("json", rb"mod\udce8le.npz")):
        done = shell(f"$TF2BRIDGE inspect mod*.npz --output-format {form}", folder)
        assert done.returncode == 0, done.stderr
        assert given in done.stdout
    (folder / "shapes.json").write_text('{"weights": [3]}')
    done = shell("$TF2BRIDGE plan mod*.npz --into shapes.json -o plan.toml", folder)
    assert done.returncode == 0, done.stderr
    done = shell("$TF2BRIDGE convert mod*.npz new.npz --to npz --plan plan.toml", folder)
    assert done.returncode == 0, done.stderr


def said(capfdbinary: pytest.CaptureFixture[bytes], *arguments: object) -> bytes:
    """What a command prints on both outputs; only text, whatever the status is."""
    with pytest.raises(SystemExit):
        main([str(argument) for argument in arguments])
    out, err = capfdbinary.readouterr()
    check_only_text(out + err)
    return out


def test_names_of_files_are_text_and_nothing_else(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for name in CONTROLS:
        path = folder / f"{name.replace('/', '')}.npz"
        shutil.copy(folder / "model.npz", path)
        assert b"1 tensors" in said(capfdbinary, "inspect", path)
        said(capfdbinary, "inspect", path, "another")
        said(capfdbinary, "audit", path)
        said(capfdbinary, "convert", path, path)
        said(capfdbinary, "plan", path, "--into", f"{path}.absent")


def test_names_of_tensors_are_text_and_nothing_else(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    names = [control for control in CONTROLS if "/" not in control]
    for file in ("a", "b"):
        np.savez(folder / f"{file}.npz", **{f"{name}{file}": np.zeros(3, np.float32) for name in names})
    a, b = folder / "a.npz", folder / "b.npz"
    for arguments in (["inspect", a], ["compare", a, b], ["compare", a, a], ["convert", a, folder / "new"]):
        said(capfdbinary, *arguments)
    shown = json.loads(said(capfdbinary, "inspect", a, "--output-format", "json"))
    assert {row["name"] for row in shown["tensors"]} == {f"{name}a" for name in names}
