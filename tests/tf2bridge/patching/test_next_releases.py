"""`tf2bridge doctor` on TensorFlow releases that are not final yet, each in a virtual environment of its own.

What it says about a nightly build is the work that the next release will be. Run with `-s` to read it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

ROOT = Path(__file__).parents[3]
CANDIDATE = "2.22.0rc0"


def environment(folder: Path, *packages: str) -> Path:
    """Returns the interpreter of a new environment that has these packages, tf2bridge, and the tf_keras of 2.21."""
    source = folder.with_suffix(".source")  # a copy, since an installation leaves a folder `build` in its source
    source.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    for name in ("tf2bridge", "codemods"):
        shutil.copytree(ROOT / name, source / name)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "-q"]
    subprocess.run([*install, str(source), *packages], check=True, capture_output=True)
    subprocess.run([*install, "--no-deps", "tf_keras==2.21.*"], check=True, capture_output=True)
    return python


def verdict(python: Path) -> tuple[int, dict[str, dict[str, Any]]]:
    """Returns the exit status of doctor there, and what it says by library."""
    command = [python, "-m", "tf2bridge", "doctor", "--output-format", "json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=python.parent)
    assert done.returncode in (0, 1), done.stderr[-2000:]
    libraries = {library["library"]: library for library in json.loads(done.stdout)}
    for library in libraries.values():
        for trouble in library["troubles"]:
            print(library["library"], library["installed"], trouble)
    return done.returncode, libraries


@pytest.mark.soak
def test_the_release_candidate_is_as_it_was_read(tmp_path: Path) -> None:
    status, libraries = verdict(environment(tmp_path / "candidate", f"tensorflow=={CANDIDATE}"))
    assert libraries["tensorflow"]["installed"] == CANDIDATE
    assert libraries["tensorflow"]["troubles"] == []
    assert status == int(any(library["troubles"] for library in libraries.values()))


@pytest.mark.soak
def test_a_nightly_build_is_read_whole_and_what_changed_is_named(tmp_path: Path) -> None:
    status, libraries = verdict(environment(tmp_path / "nightly", "--pre", "tf-nightly"))
    tensorflow = libraries["tensorflow"]
    assert Version(tensorflow["installed"]) > Version(CANDIDATE)
    assert tensorflow["names"] > 1000
    assert status == int(any(library["troubles"] for library in libraries.values()))
    for library in libraries.values():
        for trouble in library["troubles"]:
            assert trouble["needed_by"], f"doctor does not say what depends on {trouble}"
