"""Runs a training step that was written as source in this process."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.decompile.written import unequal
from tf2bridge.decompile import package, recording
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.emitted.test_train import LARGEST_OF_MOVE
from tf2bridge.decompile.examples import inputs_of
from tf2bridge.decompile.training.step import Step


def with_drawn_weights(module: Any) -> Any:
    """Returns a module whose trained matrices have the same drawn numbers in every run."""
    random = np.random.default_rng(3)
    for variable in module.trainable_variables:
        if variable.shape.rank == 2:
            variable.assign(random.uniform(-1, 1, variable.shape))
    return module


def check_step(
    module: Any,
    feeds: Mapping[str, Any],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    train_op: str | None = None,
    is_random: bool = False,
    in_model: str = "",
) -> str:
    """Writes the package `folder`, and checks its model and its steps by its own tests.

    Returns `train.py`. The model must have the text `in_model`.
    """
    step = Step.of(module, train_op)
    text = text_of(step.parts.forward, "about", whole=step.updated)
    assert in_model in text.source
    arrays = inputs_of(text.inputs, feeds)
    training = step.training(text, arrays, feeds)
    assert (training.recorded is None) is is_random
    assert "compat.v1" not in training.source
    example = recording.Recording(step.parts.forward, arrays)
    recorded = example.arrays(text.contents.names)
    name = folder.name
    with package.new_package(folder, text, recorded, "about", training=training) as written:
        monkeypatch.syspath_prepend(str(written.parent))
        measured = importlib.import_module(f"{name}.test_model").differences()
        assert unequal(measured, example, recorded, text.contents.names) == []
        if not is_random:
            moved = importlib.import_module(f"{name}.test_train").step_differences()
            assert moved.keys() == {key for key in training.recorded or () if key.startswith("step ")} != set()
            assert max(moved.values()) <= LARGEST_OF_MOVE, moved
    for part in [key for key in sys.modules if key.partition(".")[0] == name]:
        del sys.modules[part]
    return training.source
