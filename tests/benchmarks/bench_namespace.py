"""The namespace beside `tf.compat.v1` and beside genuine 1.15.5: import, building a graph, a training step.

python -m pytest -s tests/benchmarks/bench_namespace.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests import oracles

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROUNDS = 5

Figures = dict[str, float]


def once(python: Path, module: str) -> Figures:
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("TF2_BEHAVIOR", None)
    if module.startswith("tf2bridge"):
        environment["PYTHONPATH"] = str(ROOT)
    command = [str(python), str(HERE / "namespace_programs.py"), module]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout.splitlines()[-1])
    return {f"{name} {what}": value for name, part in report.items() for what, value in part.items()}


def least(rounds: list[Figures]) -> Figures:
    return {name: min(figures[name] for figures in rounds) for name in rounds[0]}


def seconds_to_import(code: str) -> float:
    timed = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run([sys.executable, "-c", timed], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def bench_programs() -> None:
    sides = {
        "tf2bridge.v1": (Path(sys.executable), "tf2bridge.v1"),
        "compat.v1": (Path(sys.executable), "tensorflow.compat.v1"),
        "genuine": (oracles.interpreter("1.15.5"), "tensorflow"),
    }
    result: dict[str, list[Figures]] = {name: [] for name in sides}
    for _ in range(ROUNDS):  # in turns, so that a busy moment of the machine meets all of them
        for name, (python, module) in sides.items():
            result[name].append(once(python, module))
    ours, plain, genuine = (least(result[name]) for name in sides)
    print("\nleast ms, thousands of calls   tf2bridge.v1  compat.v1   ratio  genuine 1.15.5   ratio")
    for name, value in ours.items():
        ratios = value / plain[name], value / genuine[name]
        scale = 1e-3 if name.endswith("calls") else 1e3  # thousands of them, milliseconds
        print(
            f"{name:30} {value * scale:12.2f} {plain[name] * scale:10.2f} {ratios[0]:7.2f}"
            f" {genuine[name] * scale:15.2f} {ratios[1]:7.2f}"
        )


def bench_import() -> None:
    first = "import tensorflow"
    more = "import tensorflow; import tf2bridge.v1 as tf; tf.constant; tf.nn.relu"
    plain, ours = [], []
    for _ in range(ROUNDS):
        plain.append(seconds_to_import(first))
        ours.append(seconds_to_import(more))
    least_plain, least_ours = min(plain), min(ours)
    print(f"\nimport: {least_plain:.2f} s, with tf2bridge.v1 {least_ours:.2f} s: {least_ours - least_plain:.2f} s more")
