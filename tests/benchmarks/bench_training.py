"""What a step costs under Supervisor, in towers and under a strategy: ours, by hand, and under genuine TensorFlow 1.15.

python -m pytest -s tests/benchmarks/bench_training.py

The machine must do nothing else: a step uses all its cores, and so does what else runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import oracles

STEPS = Path(__file__).with_name("training_steps.py")
MOST = 1.05
"""In times of the same written by hand."""


def measured(python: str | Path, *arguments: str) -> dict[str, float]:
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    if python != sys.executable:
        environment = {name: value for name, value in environment.items() if name not in ("PYTHONPATH", "TF2_BEHAVIOR")}
    done = subprocess.run(
        [python, "-W", "ignore", STEPS, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.mark.oracle
@pytest.mark.parametrize("arguments", [["sessions"], ["towers", "1"], ["towers", "2"], ["towers", "4"]])
def bench_sessions(arguments: list[str]) -> None:
    """Supervisor and towers in sessions; neither may be slower than the same program was under 1.15."""
    before, here = measured(oracles.interpreter("1.15.5"), *arguments), measured(sys.executable, *arguments)
    ours, hand = here["ours"], here["by hand"]
    print(
        f"\n{' '.join(arguments)}: ours {ours * 1e3:.2f} ms, by hand {hand * 1e3:.2f} ms ({ours / hand:.2f} times), "
        f"under 1.15.5 {min(before.values()) * 1e3:.2f} ms ({ours / min(before.values()):.2f} times)"
    )
    assert ours < MOST * hand
    assert ours < min(before.values())


@pytest.mark.parametrize("count", ["1", "2", "4"])
def bench_mirrored(count: str) -> None:
    """`train.towers` under MirroredStrategy on so many logical CPUs."""
    result = measured(sys.executable, "mirrored", count)
    ours, hand = result["ours"], result["by hand"]
    print(f"\nmirrored {count}: ours {ours * 1e3:.2f} ms, by hand {hand * 1e3:.2f} ms ({ours / hand:.2f} times)")
    assert ours < MOST * hand
