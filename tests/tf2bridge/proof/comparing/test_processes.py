"""Large checkpoints are judged in several processes, and nothing that is told of them differs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.checkpoint.writing.converting import convert

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
ROOT = Path(__file__).parents[4]

TOLD = """
import os, sys
from tf2bridge.proof.comparing import processes
from tf2bridge.proof.comparing.any_two import compare
processes.WORTH_A_PROCESS, processes._AT_ONCE = int(sys.argv[1]), 3000
os.sched_getaffinity = lambda _: range(3)
if sys.argv[4:]:
    def killed(judge):
        os.kill(os.getpid(), 9)
    processes._begin = killed
try:
    found = compare(*sys.argv[2:4])
    print(*found.rows, found.equal, sep="\\n")
except Exception as error:
    print(type(error).__name__, error)
"""
WORTH_IT, NEVER = "1000", str(1 << 40)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("processes")
    values = np.random.default_rng(0)
    arrays = {f"layer_{at}/kernel": values.standard_normal([10, at + 1], np.float32) for at in range(60)}
    arrays["step"] = np.int64(3)
    for name in ("old", "new"):
        np.savez(made / "values.npz", **arrays)
        convert(made / "values.npz", made / name, format="saver")
        arrays["layer_17/kernel"][0] += 1
        arrays["layer_40/kernel"] = arrays["layer_40/kernel"].T
        arrays["layer_50/kernel"][5] = np.nan
    return made


def told(worth: str, folder: Path, *more: str, new: str = "new") -> str:
    command = [sys.executable, "-W", "error", "-c", TOLD, worth, str(folder / "old"), str(folder / new), *more]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=settings, check=True, capture_output=True, text=True, timeout=100)
    assert not done.stderr
    return done.stdout


def test_the_rows_are_those_of_one_process(folder: Path) -> None:
    rows = told(WORTH_IT, folder)
    assert rows == told(NEVER, folder)
    assert rows.count("Verdict.DIFFERENT") == 2
    assert rows.count("Verdict.SHAPE") == 1
    assert rows.count("Verdict.EQUAL") == 58
    assert rows.endswith("\nFalse\n")


def test_where_processes_are_killed_the_first_goes_on_alone(folder: Path) -> None:
    assert told(WORTH_IT, folder, "killed") == told(NEVER, folder)


def test_the_error_of_a_damaged_file_is_the_same(folder: Path) -> None:
    data = bytearray((folder / "new.data-00000-of-00001").read_bytes())
    data[-5000] ^= 1
    (folder / "flipped.data-00000-of-00001").write_bytes(data)
    (folder / "flipped.index").write_bytes((folder / "new.index").read_bytes())
    error = told(WORTH_IT, folder, new="flipped")
    assert error.startswith("DamagedCheckpointError")
    assert "their checksum is another" in error
    assert error == told(NEVER, folder, new="flipped")
