"""Models that are compared on the command line, as tests.tf2bridge.proof.worst.models:NAME."""

from __future__ import annotations

from typing import Any

import numpy as np


def _model(changed: float) -> Any:
    """A dense layer and a table; its last weight is behind a ReLU that inputs near 0 do not switch on."""
    import keras

    points, ids = keras.Input((3,), name="points"), keras.Input((2,), dtype="int32", name="ids")
    hidden = keras.layers.Dense(4, activation="relu", name="hidden")
    last = keras.layers.Dense(1, use_bias=False, name="last")
    table = keras.layers.Embedding(9, 2, name="table")
    model = keras.Model([points, ids], [last(hidden(points)), table(ids)])
    hidden.set_weights([np.eye(3, 4) + np.eye(3, 4, 1), np.asarray([0.0, 0.0, 0.0, -2.5])])
    last.set_weights([np.asarray([[1.0], [1.0], [1.0], [changed]])])
    table.set_weights([np.linspace(-1, 1, 18).reshape(9, 2)])
    return model


def old() -> Any:
    """Returns the model whose numbers are right."""
    return _model(1.0)


def new() -> Any:
    """Returns the model with one changed weight."""
    return _model(1.5)
