"""`codemods check` as the tests of hostile trees run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codemods import cli
from codemods.settings import Settings

ONLY = Settings(select=("TFN002",))
ROOT = Path(__file__).parents[2]
Run = tuple[int, str, str]


def check(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    status = cli.run(["check", "--select", "TFN002", "--jobs", "1", *map(str, arguments)])
    return status, *capsys.readouterr()


def script(*arguments: str, stdout: int, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "codemods", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
