"""Comparing two checkpoints of 1 GB and 1,000 variables beside reading both, in one run.

    python -m pytest -s tests/benchmarks/bench_compare.py

Reading is that of tf2bridge itself, checksums and all, of both checkpoints. Each is a process of its own, which says
how long it took once it has started; times are the least of several rounds, taken in turns; memory is the most that the
process held, with that of one process more for each processor where it started any. Both checkpoints are in the
machine's memory before.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.checkpoint.writing.converting import convert

ROOT = Path(__file__).parents[2]
ROUNDS = 5
VARIABLES, ROWS = 1000, 500

READ = """
import tf2bridge.checkpoint
from tf2bridge.proof.comparing import any_two
begun = time.perf_counter()
for path in sys.argv[1:]:
    with tf2bridge.checkpoint.open(path) as held:
        for name in held:
            for piece in held.pieces(name):
                pass
"""
COMPARE = """
from tf2bridge.proof.comparing.any_two import compare
begun = time.perf_counter()
found = compare(*sys.argv[1:])
"""
TOLD = """
seconds = time.perf_counter() - begun
most = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])  # getrusage's is the parent's, too
most += len(os.sched_getaffinity(0)) * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([seconds, most / 1024]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Checkpoints `old`, `equal` to it, `close` in all numbers, and of `other` numbers."""
    made = tmp_path_factory.mktemp("compared")
    for name in ("old", "equal", "close", "other"):
        values = np.random.default_rng(1 if name == "other" else 0)
        scale = np.float32(1 + 3e-7) if name == "close" else np.float32(1)
        np.savez(
            made / "values.npz",
            **{
                f"net/block_{at}/kernel": values.standard_normal([ROWS, ROWS], np.float32) * scale
                for at in range(VARIABLES)
            },
        )
        convert(made / "values.npz", made / name, format="saver")
        (made / "values.npz").unlink()
    yield made
    shutil.rmtree(made)


def ran(code: str, *arguments: Path) -> tuple[float, float]:
    """Seconds and megabytes."""
    code = "import json, os, resource, sys, time\n" + code + TOLD
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    seconds, memory = json.loads(subprocess.run(command, env=settings, check=True, capture_output=True).stdout)
    return seconds, memory


def bench_comparing(folder: Path) -> None:
    whats = {name: (COMPARE, folder / "old", folder / name) for name in ("equal", "close", "other")}
    whats = {"reading both": (READ, folder / "old", folder / "close"), **whats}
    seconds, memory = dict.fromkeys(whats, float("inf")), dict.fromkeys(whats, 0.0)
    for _ in range(ROUNDS):
        for name, what in whats.items():
            took, result = ran(*what)
            seconds[name], memory[name] = min(seconds[name], took), max(memory[name], result)
    reading = seconds["reading both"]
    print(f"\ntwo checkpoints of 1 GB in {VARIABLES} variables each")
    for name, took in seconds.items():
        print(f"  {name}: {took:.2f} s, {took / reading:.2f} x reading both, {memory[name]:.0f} MB")
