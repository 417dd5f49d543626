"""The op seeds of whole programs, from the first variable to what follows `minimize` and `Saver`.

fixtures/seeds_programs/seeds.json holds the attribute `seed2` of every random operation of each program there, as
genuine TensorFlow chose it; fixtures/seeds.py writes it. Nothing is run.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.v1.seeds import table

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "fixtures" / "seeds_programs"
EXPECTED: dict[str, dict[str, list[int]]] = json.loads((PROGRAMS / "seeds.json").read_text())
OPEN: dict[str, list[str]] = json.loads((PROGRAMS / "unequal.json").read_text())


@functools.cache
def ours(release: str) -> dict[str, Any]:
    """Program -> [name, second seed] of each random operation, all built in one process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "seeds.json"
        command = [sys.executable, str(PROGRAMS / "record.py"), str(output), release]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        found: dict[str, Any] = json.loads(output.read_text())
    return found


CASES = [
    pytest.param(release, program, marks=pytest.mark.xdist_group(f"seeds of {release}"))
    for release in table.MEASURED
    for program in EXPECTED[release]
]


@pytest.mark.parametrize(("release", "program"), CASES)
def test_op_seeds_are_those_of_the_release(release: str, program: str) -> None:
    found = ours(release)[program]
    assert isinstance(found, list), found
    wanted = EXPECTED[release][program]
    seeds = [seed for _, seed in found]
    assert len(seeds) == len(wanted)
    if program in OPEN[release]:
        pytest.xfail("a call on its way is not measured: see unequal.json")
    assert seeds == wanted, [name for name, _ in found]


@pytest.mark.parametrize("release", table.MEASURED)
def test_at_least_twenty_programs_are_equal(release: str) -> None:
    assert len(set(EXPECTED[release]) - set(OPEN[release])) >= 20
