"""Optimizers of the Keras of TF 1.15, whole through a plan: Keras 3's next step is the one that 1.15.5 made."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tf2bridge import checkpoint as checkpoints
from tf2bridge.formats.checkpoints.companions import bookkeeping, counts_steps, slot_of

FOLDER = Path(__file__).parents[3] / "fixtures" / "keras_optimizers"
MADE: dict[str, Any] = {
    "SGD": lambda: keras.optimizers.SGD(0.1, 0.9),
    "Adam": lambda: keras.optimizers.Adam(0.01),
    "RMSprop": lambda: keras.optimizers.RMSprop(0.01, momentum=0.7, centered=True),
    "Adagrad": lambda: keras.optimizers.Adagrad(0.1),
    "Adadelta": lambda: keras.optimizers.Adadelta(0.5),
    "Adamax": lambda: keras.optimizers.Adamax(0.01),
    "Ftrl": lambda: keras.optimizers.Ftrl(0.1),
}
"""With the options of fixtures/keras_optimizers.py."""


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("file", ["model.h5", "model.ckpt"])
def test_the_next_step(name: str, file: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as archive:
        archive.extractall(tmp_path)
    with np.load(tmp_path / "expected.npz") as values:
        expected = dict(values)
    layers = keras.layers
    model = keras.Sequential([layers.Dense(5, "tanh", name="hidden"), layers.Dense(3, name="out")])
    model.build((None, 4))
    model.compile(MADE[name](), "mse", run_eagerly=True)
    with checkpoints.open(tmp_path / file) as checkpoint:
        plan = checkpoints.plan(checkpoint, model)
        assert plan.complete, plan.questions
        assert not any("learning_rate" in note for note in plan.notes)
        plan.apply()
    assert int(model.optimizer.iterations) == 3
    model.train_on_batch(expected["x"], expected["y"])
    for place, value in enumerate(model.get_weights()):
        np.testing.assert_allclose(value, expected[f"after {place}"], rtol=0, atol=1e-6)


def test_what_keras_calls_them() -> None:
    """As 1.15.5 and 1.12.3 wrote them: the latter has no names for slots."""
    names = ["d/kernel", "training/SGD/d/kernel/momentum", "training/SGD/momentum", "training/SGD/iter"]
    assert slot_of(names[1], names) == ("d/kernel", "tf.keras SGD/momentum")
    assert slot_of(names[2], names) is None
    assert "setting" in bookkeeping(names[2])
    assert counts_steps(names[3]) and counts_steps("Adam/iterations") and counts_steps("gen/global_step")
    assert not counts_steps("layer/iter")
    assert "no name" in bookkeeping("training/Adam/Variable_3")
