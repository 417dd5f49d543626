"""Programs under `tf2bridge run`, each as a file in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(text: str, folder: Path, api: str) -> subprocess.CompletedProcess[str]:
    """Writes the text of a program into `folder` and runs it as one of the release `api`."""
    program = folder / "program.py"
    program.write_text(text)
    command = [sys.executable, "-m", "tf2bridge", "run", "--api", api, str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
