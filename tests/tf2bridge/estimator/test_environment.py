"""Where TF_CONFIG says that the environment runs the servers, a task starts none (training.py of 1.15)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tf2bridge import v1
from tf2bridge.estimator.executor import TrainingExecutor
from tf2bridge.train.clusters.refusals import UnresolvedHostError

CLUSTER = {"chief": ["no.such.host.invalid:1"], "ps": ["no.such.host.invalid:2"]}


def model_fn(features: Any, labels: Any, mode: str) -> Any:
    raise AssertionError(f"nothing is to be built: {features}, {labels}, {mode}")


@pytest.mark.parametrize("environment", ["google", "cloud"])
def test_the_server_of_a_chief(environment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = {"cluster": CLUSTER, "task": {"type": "chief", "index": 0}, "environment": environment}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    estimator = v1.estimator.Estimator(model_fn, config=v1.estimator.RunConfig(str(tmp_path)))
    trained: list[Any] = []
    monkeypatch.setattr(estimator, "train", lambda **given: trained.append(given["max_steps"]))
    train_spec = v1.estimator.TrainSpec(lambda: None, max_steps=3)
    executor = TrainingExecutor(estimator, train_spec, v1.estimator.EvalSpec(lambda: None))
    if environment == "google":
        executor.run_chief()
    else:
        with pytest.raises(UnresolvedHostError):
            executor.run_chief()
    assert trained == ([3] if environment == "google" else [])
