"""What a program's own code gives, to be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.tf2bridge.proof.comparing.files import LEGACY


def arrays() -> dict[str, Any]:
    """Names and arrays."""
    return {"hidden/w": np.ones((2, 8), np.float32)}


def frozen() -> Any:
    """A live graph."""
    import tf2bridge

    return tf2bridge.load(LEGACY / "freeze_script" / "genuine" / "run" / "frozen.pb")


def keras_model(weights: Path | None = None) -> Any:
    """Two dense layers, with the values of freeze_script's checkpoint where one is named."""
    import keras

    inputs = keras.Input((2,), name="points")
    hidden = keras.layers.Dense(8, activation="tanh", name="hidden")(inputs)
    out = keras.layers.Dense(2, activation="softmax", use_bias=False, name="out")(hidden)
    model = keras.Model(inputs, out)
    if weights is not None:
        from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

        with open_checkpoint(weights) as checkpoint:
            model.set_weights([checkpoint["hidden/w"], checkpoint["hidden/b"], checkpoint["out/w"]])
    return model
