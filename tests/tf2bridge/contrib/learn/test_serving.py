"""The tasks of an Experiment in a cluster; what they compute is in tests/tf2bridge/train/clusters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tf2bridge import v1
from tf2bridge.contrib.learn import serving

CLUSTER = {"master": ["127.0.0.1:1"], "worker": ["127.0.0.1:2"], "ps": ["127.0.0.1:3"]}


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    task = {"type": "worker", "index": 0}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": CLUSTER, "task": task}))


def model_fn(features: Any, labels: Any, mode: str) -> Any:
    raise AssertionError(f"nothing is to be built: {features}, {labels}, {mode}")


@pytest.mark.usefixtures("worker")
def test_a_cluster_needs_the_run_config_of_contrib_learn(tmp_path: Path) -> None:
    estimator = v1.estimator.Estimator(model_fn, config=v1.estimator.RunConfig(str(tmp_path)))
    experiment = v1.contrib.learn.Experiment(estimator, lambda: None, lambda: None)
    with pytest.raises(ValueError, match=r"only works with tf\.contrib\.learn\.RunConfig for now"):
        experiment.train()


@pytest.mark.usefixtures("worker")
def test_a_local_environment_starts_no_server() -> None:
    serving.join_cluster(v1.contrib.learn.RunConfig())  # the port 2 would be refused


def test_when_workers_begin() -> None:
    # experiment.py of 1.4.1: min(60, task_id * 5) seconds, or int(8000.0 * math.log(task_id + 1)) steps
    assert [serving.seconds_before(task) for task in (0, 1, 2, 20)] == [0, 5, 10, 60]
    assert [serving.steps_before(task) for task in (0, 1, 2)] == [0, 5545, 8788]


def test_the_server_that_a_program_puts_in_the_place_of_tensorflows(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    class Kept:
        def __init__(self, cluster: Any, **options: Any) -> None:
            made.append((cluster.as_dict(), options["job_name"], options["start"]))

        def start(self) -> None:
            made.append("started")

    task = {"type": "worker", "index": 0}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": CLUSTER, "task": task, "environment": "cloud"}))
    with monkeypatch.context() as replaced:
        replaced.setattr(v1.python.training.server_lib, "Server", Kept)
        serving.join_cluster(v1.contrib.learn.RunConfig())
    assert made == [(CLUSTER, "worker", False), "started"]
    assert v1.python.training.server_lib.Server is v1.train.Server
