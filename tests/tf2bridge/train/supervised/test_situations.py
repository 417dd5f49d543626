"""Supervisor and MonitoredTrainingSession do in each situation what they did under genuine TensorFlow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.forked import run

PROGRAMS = Path(__file__).parents[4] / "fixtures/supervised"
EAGER = """
import os, runpy, sys
os.chdir({folder!r})
sys.path.insert(0, ".")
runpy.run_path({name!r}, run_name="__main__")
"""
UNTOUCHED = """
import os, pathlib, sys
os.chdir({folder!r})
from tf2bridge.run import execute
sys.exit(execute(pathlib.Path({name!r}), None, [], {api!r}))
"""


def check_equal(code: str, program: str, release: str, **values: str) -> None:
    done = run(code.format(folder=str(PROGRAMS), name=f"{program}.py", **values))
    assert done.returncode == 0, done.stderr[-3000:]
    genuine = json.loads((PROGRAMS / "genuine" / f"{program}-{release}.json").read_text())
    assert json.loads(done.stdout) == genuine


@pytest.mark.parametrize(
    "program, api, release",
    [
        ("supervisors", "0.12", "0.12.1"),
        ("supervisors", "1.4", "1.4.1"),
        ("supervisors", "1.15", "1.15.5"),
        ("hooks", "1.12", "1.12.3"),
        ("hooks", "1.15", "1.15.5"),
    ],
)
def test_the_untouched_program(program: str, api: str, release: str) -> None:
    check_equal(UNTOUCHED, program, release, api=api)


@pytest.mark.parametrize("program", ["supervisors", "hooks"])
def test_with_v2_behaviour_on(program: str) -> None:
    check_equal(EAGER, program, "1.15.5")
