"""The numbers of the releases again, as other processors compute them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import processors

ROOT = Path(__file__).parents[2]
NUMBERS = {
    "graphs": "tests/tf2bridge/graph/test_recorded_graphs.py",
    "cases": "tests/tf2bridge/test_conformance.py",
}


@pytest.mark.soak
@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("processor", processors.PROCESSORS)
def test_the_numbers_of_the_releases(processor: str, kind: str) -> None:
    environment = {**os.environ, **processors.switches(processor), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-m", "not oracle and not soak", "-W", "ignore", NUMBERS[kind]],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
