"""The programs of this folder as processes; those of a cluster are told of each other by TF_CONFIG, on loopback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tf2bridge.train.clusters.process import has_members
from tf2bridge.train.clusters.tasks import Task, on_loopback, tasks_of

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
    """Runs a program as each task of a cluster, until the tasks of the job `working` have ended, with 0; what these
    printed. The others, which serve without end, and what they started, are ended then.
    """
    addresses = on_loopback(counts)
    command = [sys.executable, "-W", "ignore", str(PROGRAMS / program), *map(str, arguments)]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        processes = {}
        for task in tasks_of(addresses):
            told = {"cluster": addresses, "task": {"type": task.job, "index": task.index}}
            with (folder / f"{task}.out").open("w") as out, (folder / f"{task}.err").open("w") as err:
                processes[task] = subprocess.Popen(
                    command,
                    env=os.environ | _OWN | {"TF_CONFIG": json.dumps(told)},
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
            stack.callback(_end, task, processes[task])
        waited = [task for task in processes if task.job == working]
        for task in waited:
            status = processes[task].wait(LIMIT)
            assert status == 0, f"{task} ended with {status}: {(folder / f'{task}.err').read_text()[-3000:]}"
        return [(folder / f"{task}.out").read_text().splitlines() for task in waited]


def _end(task: Task, process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all it started. Raises TimeoutError."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(LIMIT)
    until = time.monotonic() + LIMIT
    while has_members(process.pid):
        if time.monotonic() > until:
            raise TimeoutError(f"{task}: its processes run on {LIMIT:g} s after SIGKILL")
        time.sleep(0.02)
