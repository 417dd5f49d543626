"""StepsExporter exports once for each group of named steps that an evaluation reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tf2bridge.contrib.estimator.exporter import StepsExporter


class Exporting:
    """An estimator as far as exporters know it."""

    def __init__(self, folder: Path) -> None:
        self.model_dir = str(folder)

    def export_saved_model(self, directory: str, receiver_fn: Any, **options: Any) -> str:
        return f"{directory} {receiver_fn} {options['checkpoint_path']}"


def test_steps_that_an_evaluation_missed_are_exported_with_it(tmp_path: Path) -> None:
    exporter = StepsExporter([1, 2, 3, 6, 7, 10, 12, 25], serving_input_receiver_fn="inputs")
    estimator = Exporting(tmp_path)
    exported = [
        step
        for step in range(5, 35, 5)
        if exporter.export(estimator, "path", f"model.ckpt-{step}", {"global_step": step}, False)
    ]
    assert exported == [5, 10, 15, 25]  # those that the documentation of 1.15 names for these steps
    assert exporter.name == "steps_exporter"


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one positive integer"):
        StepsExporter([-1, 0, "a"])
    with pytest.raises(ValueError, match="does not have global step"):
        StepsExporter([1]).export(Exporting(tmp_path), "path", "model.ckpt-1", {"loss": 1.0}, False)
