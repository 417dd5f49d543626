"""Processes that look like those of Windows or macOS to codemods and tf2bridge; see site/sitecustomize.py for how."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

from tests import scratch
from tests.other_systems.names import MACOS, WINDOWS, lacking, modules_lacking

ROOT = Path(__file__).parents[2]
SITE = Path(__file__).with_name("site")
OTHERS = (WINDOWS, MACOS)
PARTIAL = ("os", "signal", "socket", "select", "time", "mmap", "errno", "sys", "subprocess")
"""Modules that each system has, with other names in them."""


@functools.cache
def plan(system: str, *without: str) -> Path:
    """A file that says what a process does not have on a system, and not `without` either (names of modules)."""
    hidden = {module: lacking(module, system) for module in PARTIAL}
    modules = sorted(modules_lacking(system) - {"msvcrt", "nt", "winreg", "winsound"})
    path = scratch.folder() / f"{system}.json"
    path.write_text(json.dumps({"system": system, "names": hidden, "modules": modules, "without": without}), "utf-8")
    return path


def environment(system: str, *without: str) -> dict[str, str]:
    """The environment of a process of that system."""
    path = os.pathsep.join([str(SITE), str(ROOT)])
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    return {**os.environ, **quiet, "PYTHONPATH": path, "PYTHONUTF8": "0", "SIMULATED": str(plan(system, *without))}


def run(
    system: str, *words: object, cwd: Path | None = None, stdin: bytes = b"", without: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    """Runs `python` with these words there; what it printed is in bytes, as that system's text is another."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        input=stdin,
        env=environment(system, *without),
        capture_output=True,
        timeout=300,
        check=False,
    )
