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

from tf2bridge.behaviour.seeds import table

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "fixtures" / "seeds_programs"
EXPECTED: dict[str, dict[str, list[int]]] = json.loads((PROGRAMS / "seeds.json").read_text())
OPEN: dict[str, list[str]] = json.loads((PROGRAMS / "unequal.json").read_text())


@functools.cache
def ours(release: str, programs: tuple[str, ...]) -> dict[str, Any]:
    """Program -> [name, second seed] of each random operation, all built in one process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "seeds.json"
        command = [sys.executable, str(PROGRAMS / "record.py"), str(output), release, *programs]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        result: dict[str, Any] = json.loads(output.read_text())
    return result


def usual(release: str) -> tuple[str, ...]:
    """The programs that are built as this release in every run: each as one of those that it can be of, in turn."""
    chosen = {}
    for number, program in enumerate(sorted(set().union(*EXPECTED.values()))):
        can = [item for item in table.MEASURED if program in EXPECTED[item]]
        equal = [item for item in can if program not in OPEN[item]] or can
        chosen[program] = equal[number % len(equal)]
    return tuple(program for program in EXPECTED[release] if chosen[program] == release)


CASES = [
    pytest.param(
        release,
        program,
        marks=[
            pytest.mark.xdist_group(f"seeds of {release}"),
            *([] if program in usual(release) else [pytest.mark.soak]),
        ],
    )
    for release in table.MEASURED
    for program in EXPECTED[release]
]


@pytest.mark.parametrize(("release", "program"), CASES)
def test_op_seeds_are_those_of_the_release(release: str, program: str) -> None:
    chosen = usual(release) if program in usual(release) else tuple(EXPECTED[release])
    result = ours(release, chosen)[program]
    assert isinstance(result, list), result
    wanted = EXPECTED[release][program]
    seeds = [seed for _, seed in result]
    assert len(seeds) == len(wanted)
    if program in OPEN[release]:
        pytest.xfail("a call on its way is not measured: see unequal.json")
    assert seeds == wanted, [name for name, _ in result]


@pytest.mark.parametrize("release", table.MEASURED)
def test_at_least_twenty_programs_are_equal(release: str) -> None:
    """1.5 counts otherwise once gradients are taken: see `table.FAMILIES`."""
    assert len(set(EXPECTED[release]) - set(OPEN[release])) >= (11 if release == "1.5.0" else 20)


@pytest.mark.parametrize("release", sorted(set(table.FAMILIES.values())))
def test_all_programs_are_equal_of_the_releases_that_have_rules(release: str) -> None:
    assert OPEN[release] == []
