"""Each construct of a legacy training program has a TensorFlow 2 counterpart, with the same numbers step by step.

A program in `programs/` trains a model of 2017 by momentum for 20 steps in a session; the others there are what it
moves to. That TensorFlow 2's sessions compute what genuine TensorFlow 1.x did is proven elsewhere, by fixtures/legacy.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.train.strategies.processes import PROGRAMS, run, run_cluster

STEPS = 20
MODEL = {"hidden/weights", "hidden/biases", "logits/weights"}
ALL = {"global_step", *MODEL, *(f"{name}/Momentum" for name in MODEL)}


@pytest.fixture(scope="module")
def legacy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    """The folder where the legacy program left its checkpoints of steps 0 and 20, and the losses that it printed."""
    folder = tmp_path_factory.mktemp("legacy")
    return folder, _losses(run("-m", "tf2bridge", "run", PROGRAMS / "legacy.py", folder))


def _losses(lines: list[str]) -> list[float]:
    result = [line.split() for line in lines]
    return [float(words[1]) for words in result if len(words) == 2 and words[0].isdigit()]


def _values(prefix: Path) -> dict[str, np.ndarray]:
    return dict(tf2bridge.checkpoint.open(prefix))


def test_synchronous_replicas_as_mirrored_workers(legacy: tuple[Path, list[float]], tmp_path: Path) -> None:
    """Two processes, each with half of a batch, and one process with all of it: as the legacy program, to 1e-6."""
    folder, theirs = legacy
    first, last = folder / "model.ckpt-0", _values(folder / "model.ckpt-20")
    two = run_cluster({"worker": 2}, "worker", "mirrored_workers.py", first, tmp_path / "two")
    one = run_cluster({"worker": 1}, "worker", "mirrored_workers.py", first, tmp_path / "one")
    for printed in (*two, *one):
        np.testing.assert_allclose(_losses(printed), theirs, rtol=1e-6, atol=1e-6)
    for name in ("two", "one"):
        result = _values(tmp_path / name)
        assert result.keys() == MODEL
        for item in MODEL:
            np.testing.assert_allclose(result[item], last[item], rtol=1e-6, atol=1e-6)


def test_parameter_servers_one_step_at_a_time(legacy: tuple[Path, list[float]], tmp_path: Path) -> None:
    """Steps that workers take in turn change the servers' variables, slots too, bit for bit as one session did."""
    folder, theirs = legacy
    (printed,) = _on_servers(folder, tmp_path / "ps", "--one-at-a-time")
    np.testing.assert_allclose(_losses(printed), theirs, rtol=1e-6)
    result, last = _values(tmp_path / "ps"), _values(folder / "model.ckpt-20")
    assert result.keys() == last.keys() == ALL
    for name in ALL:
        np.testing.assert_array_equal(result[name], last[name])


def test_parameter_servers_asynchronously(legacy: tuple[Path, list[float]], tmp_path: Path) -> None:
    """No step is lost, whoever takes it; what the steps see of each other is not determined."""
    folder, _ = legacy
    _on_servers(folder, tmp_path / "ps")
    result, first = _values(tmp_path / "ps"), _values(folder / "model.ckpt-0")
    assert result["global_step"] == STEPS
    assert all(np.abs(result[name] - first[name]).max() > 1e-3 for name in MODEL)


def _on_servers(folder: Path, result: Path, *options: str) -> list[list[str]]:
    counts = {"chief": 1, "ps": 2, "worker": 2}
    return run_cluster(counts, "chief", "parameter_servers.py", folder / "model.ckpt-0", result, *options)


def test_a_supervisor_as_a_loop_that_keeps_checkpoints(legacy: tuple[Path, list[float]], tmp_path: Path) -> None:
    """Ten steps under a Supervisor, seven in the loop, interrupted, and the rest: bit for bit the uninterrupted run."""
    folder, theirs = legacy
    logdir, new = tmp_path / "logdir", tmp_path / "new"
    printed = run("-m", "tf2bridge", "run", PROGRAMS / "supervised.py", logdir, 10)
    printed += run(PROGRAMS / "checkpointed_loop.py", new, 17, logdir)
    printed += run(PROGRAMS / "checkpointed_loop.py", new, STEPS, logdir)
    assert [int(line.split()[0]) for line in printed if line[:1].isdigit()] == list(range(1, STEPS + 1))
    np.testing.assert_allclose(_losses(printed), theirs, rtol=1e-6)
    result, last = _values(new / "as-legacy"), _values(folder / "model.ckpt-20")
    assert result.keys() == last.keys() == ALL
    for name in ALL:
        np.testing.assert_array_equal(result[name], last[name])
    assert list(new.glob("events.out.tfevents.*"))
