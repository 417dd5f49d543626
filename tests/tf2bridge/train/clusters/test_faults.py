"""Tasks of a cluster are killed and started again while it trains: the training goes on, and comes to its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fixtures.clusters.runs import HERE
from tests.tf2bridge.train.clusters.trials import Trial, running
from tests.tf2bridge.train.whole import check_whole
from tf2bridge.train.clusters.launching import launches, through_run
from tf2bridge.train.clusters.outcomes import Outcome
from tf2bridge.train.clusters.tasks import Task

PS, CHIEF, OTHER = Task("ps", 0), Task("worker", 0), Task("worker", 1)
STEPS = 400


def attempts() -> Iterator[object]:
    """Two in every run of the tests; twenty of each kind of session by hand."""
    for kind in ("--nomonitored", "--monitored"):
        for attempt in range(20):
            soak = [] if kind == "--nomonitored" and attempt < 2 else [pytest.mark.soak]
            yield pytest.param(kind, attempt, marks=soak, id=f"{kind.lstrip('-')}-{attempt}")


def replace(trial: Trial, task: Task) -> None:
    """Kills a task and starts it again; both workers have gone on when this returns."""
    trial.cluster.kill(task)
    for worker in (CHIEF, OTHER):
        for taken in range(10, STEPS, 10):
            trial.line(worker, b"took %d" % taken).clear()
    trial.cluster.restart(task)
    for worker in (CHIEF, OTHER):
        trial.wait_for_any(worker, [b"took %d" % taken for taken in range(10, STEPS, 10)])


@pytest.mark.parametrize("kind, attempt", attempts())
def test_any_task_is_killed_and_started_again(kind: str, attempt: int, tmp_path: Path) -> None:
    program = [str(HERE / "programs/lasting.py"), "--logdir", str(tmp_path), f"--steps={STEPS}", kind]
    found, addresses = launches(program, {"ps": 1, "worker": 2}, through_run("1.15"))
    with running(found, addresses) as trial:
        for worker in (CHIEF, OTHER):
            trial.wait_for(worker, b"took %d" % (20 + attempt // 2 * 10))
        for task in (OTHER, CHIEF, PS):
            replace(trial, task)
        assert trial.cluster.wait() == Outcome(0)
        for worker in (CHIEF, OTHER):
            assert trial.line(worker, b"done").is_set()
        assert (
            trial.err.getvalue().count(b"Restoring parameters from") >= 2
        )  # by the second chief, for the second server
    stored = check_whole(tmp_path)
    assert stored["global_step"] >= STEPS
    # The least squares have this minimum, which a step of 0.1 reaches to 1e-6 within 150 steps from anywhere near.
    np.testing.assert_allclose(stored["weights"].ravel(), [1.0, -2.0, 0.5], atol=1e-4)
    np.testing.assert_allclose(stored["bias"], [0.25], atol=1e-4)
