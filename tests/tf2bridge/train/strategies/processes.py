"""The programs of this folder as processes, those of a cluster by `tf2bridge cluster --tf2`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.tf2bridge.train.clusters.commands import cluster

PROGRAMS = Path(__file__).parent / "programs"
LIMIT = 120.0
"""Seconds for a program to end."""

_OWN = {"PYTHONPATH": str(PROGRAMS.parents[4]), "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}


def run(*command: object) -> list[str]:
    """Runs a program to its end; the lines that it printed."""
    words = [sys.executable, "-W", "ignore", *map(str, command)]
    done = subprocess.run(words, env=os.environ | _OWN, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def run_cluster(counts: Mapping[str, int], working: str, program: str, *arguments: object) -> list[list[str]]:
    """Runs a program as each task of a cluster, to its end; what each task of the job `working` printed."""
    options = ["--tf2", "--ps", counts.get("ps", 0), "--workers", counts.get("worker", 0)]
    done = cluster(*options, *(["--chief"] if "chief" in counts else []), "--", PROGRAMS / program, *arguments)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [line.partition(" | ") for line in done.stdout.splitlines()]
    tasks = [f"{working} {index}" for index in range(counts[working])]
    return [[text for name, _, text in lines if name.strip() == task] for task in tasks]
