"""Tasks of a cluster are killed and started again while it trains: the training goes on, and comes to its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fixtures.clusters.runs import HERE
from tests.tf2bridge.train.clusters.trials import Trial, running
from tests.tf2bridge.train.whole import check_whole
from tf2bridge.commands.clusters import through_run
from tf2bridge.train.clusters.launching import launches
from tf2bridge.train.clusters.outcomes import Outcome
from tf2bridge.train.clusters.tasks import Task

PS, CHIEF, OTHER = Task("ps", 0), Task("worker", 0), Task("worker", 1)


def attempts() -> Iterator[object]:
    """One in every run of the tests; twenty of each kind of session by hand."""
    for kind, always in {"--nomonitored": 1, "--monitored": 0, "--synchronous": 0}.items():
        for attempt in range(20):
            soak = [pytest.mark.soak] if attempt >= always else []
            yield pytest.param(kind, attempt, marks=soak, id=f"{kind.lstrip('-')}-{attempt}")


def go_on(trial: Trial) -> None:
    """Both workers have taken ten steps more when this returns."""
    for worker in (CHIEF, OTHER):
        trial.line(worker, b"ten more").clear()
    for worker in (CHIEF, OTHER):
        trial.wait_for(worker, b"ten more")


@pytest.mark.parametrize("kind, attempt", attempts())
def test_any_task_is_killed_and_started_again(kind: str, attempt: int, tmp_path: Path) -> None:
    program = [str(HERE / "programs/lasting.py"), "--logdir", str(tmp_path), kind]
    result, addresses = launches(program, {"ps": 1, "worker": 2}, through_run("1.15"))
    with running(result, addresses) as trial:
        go_on(trial)
        for _ in range(attempt % 4):
            go_on(trial)
        for task in (OTHER, CHIEF, PS):
            trial.cluster.kill(task, comes_back=True)
            trial.cluster.restart(task)
            go_on(trial)
        for _ in range(20):  # 200 steps of each worker, from which 1e-4 follows below
            go_on(trial)
        (tmp_path / "enough").touch()
        assert trial.cluster.wait() == Outcome(0)
        for worker in (CHIEF, OTHER):
            assert trial.line(worker, b"done").is_set()
        assert trial.err.getvalue().count(b"Restoring parameters from") >= 2  # by the second chief, of the second ps
    stored = check_whole(tmp_path)
    # The least squares have this minimum; a step of 0.1 makes the distance smaller by a tenth of the least curvature.
    np.testing.assert_allclose(stored["weights"].ravel(), [1.0, -2.0, 0.5], atol=1e-4)
    np.testing.assert_allclose(stored["bias"], [0.25], atol=1e-4)
