"""`tf2bridge cluster` as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[4]
ENVIRONMENT = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT)}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "tf2bridge", "cluster", *map(str, arguments)]


def cluster(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run(
        command(*arguments), env=ENVIRONMENT, capture_output=True, text=True, timeout=180, check=False
    )


def write(folder: Path, text: str) -> Path:
    """A program of this text in `folder`."""
    path = folder / "trainer.py"
    path.write_text(textwrap.dedent(text))
    return path
