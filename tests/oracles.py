"""The genuine releases that tests ask; those that are not built are a reason to skip."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fixtures import genuine
from tests import forked


def interpreter(release: str) -> Path:
    """The Python of a genuine release; skips the test where it is not built."""
    require(release)
    return Path(genuine.interpreter(release))


def run(release: str, program: str) -> subprocess.CompletedProcess[str]:
    """Runs the text of a program in a process of a genuine release; skips the test where it is not built."""
    return forked.run(program, python=str(interpreter(release)))


def require(*releases: str) -> None:
    """Skips the test where one of the releases is not built."""
    missing = [release for release in releases if not genuine.is_built(release)]
    if missing:
        names = ", ".join(missing)
        pytest.skip(f"genuine TensorFlow {names} is not in {genuine.HOME}: build it with fixtures/oracles.sh")
