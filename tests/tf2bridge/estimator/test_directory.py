"""A model_dir that genuine TensorFlow 1.15.5 wrote is evaluated and trained further; and what a training writes."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge import v1

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
sys.path.insert(0, str(FIXTURES))
from estimator_directory import model, outcome  # noqa: E402  # the script that recorded the directory


def check_close(ours: Any, theirs: Any) -> None:
    """Equal to 1e-5 of the largest number: four steps of Adam divide by small numbers."""
    assert sorted(ours) == sorted(theirs)
    for name, value in theirs.items():
        np.testing.assert_allclose(ours[name], value, rtol=1e-5, atol=1e-5 * np.max(np.abs(value)), err_msg=name)


def test_genuine_directory_goes_on(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "estimator", tmp_path / "model")
    expected = json.loads((tmp_path / "model" / "expected.json").read_text(encoding="utf-8"))

    result = outcome(*model(v1, str(tmp_path / "model")))

    check_close(result["evaluated"], expected["evaluated"])
    check_close(result["variables"], expected["variables"])
    np.testing.assert_allclose(result["logits"], expected["logits"], rtol=1e-5)


def test_genuine_directory_starts_another_model(tmp_path: Path) -> None:
    settings = v1.estimator.WarmStartSettings(str(FIXTURES / "estimator"), ".*hiddenlayer.*")
    made, fed = model(v1, str(tmp_path))
    warm = v1.estimator.Estimator(made.model_fn, str(tmp_path), warm_start_from=settings)

    warm.train(fed, steps=1)

    before = v1.train.load_variable(str(FIXTURES / "estimator"), "dnn/hiddenlayer_0/kernel")
    after = v1.train.load_variable(str(tmp_path / "model.ckpt-0"), "dnn/hiddenlayer_0/kernel")
    np.testing.assert_array_equal(after, before)


def test_log_lines_are_those_of_the_release(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made, fed = model(v1, str(tmp_path))
    v1.logging.set_verbosity(v1.logging.INFO)
    with caplog.at_level("INFO", logger="tensorflow"):
        v1.get_logger().propagate = True
        made.train(fed, steps=2)
        made.evaluate(fed, steps=1)
    result = [record.getMessage().partition(":")[0].partition(" = ")[0] for record in caplog.records]
    wanted = [
        "Calling model_fn.",
        "Done calling model_fn.",
        "Create CheckpointSaverHook.",
        "Graph was finalized.",
        f"Saving checkpoints for 0 into {tmp_path}/model.ckpt.",
        "loss",
        f"Saving checkpoints for 2 into {tmp_path}/model.ckpt.",
        "Loss for final step",
        "Evaluation [1/1]",
        "Saving dict for global step 2",
        "Saving 'checkpoint_path' summary for global step 2",
    ]
    places = [result.index(line) for line in wanted]
    assert places == sorted(places)
