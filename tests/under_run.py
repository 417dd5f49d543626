"""Programs under `tf2bridge run`, each as a file in a process of its own.

The process is a fork of one that has TensorFlow imported. tests/tf2bridge/program/test_children.py and test_imports.py
there start the command itself.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests import forked

_COMMAND = """
import os, runpy, sys
os.chdir(sys.argv.pop(1))
sys.path[0] = os.getcwd()  # as `python -m` begins it
runpy.run_module("tf2bridge", run_name="__main__", alter_sys=True)
"""


def run(text: str, folder: Path, api: str) -> subprocess.CompletedProcess[str]:
    """Writes the text of a program into `folder` and runs it as one of the release `api`."""
    (folder / "program.py").write_text(text)
    return command(Path.cwd(), "--api", api, str(folder / "program.py"))


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `tf2bridge run` with these arguments in a folder."""
    api = arguments[arguments.index("--api") + 1] if "--api" in arguments else None
    return forked.run(_COMMAND, str(folder), "run", *arguments, api=api)
