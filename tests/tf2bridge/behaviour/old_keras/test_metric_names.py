"""Histories of models that are trained eagerly, and in a graph, have the names that 1.15.5 gave."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
SWITCH
keras = tf.keras

def trained(model, **options):
    model.compile(keras.optimizers.SGD(0.1), **options)
    x = np.ones([8, 2], "f")
    y = [np.zeros([8, 1], "f")] * len(model.outputs)
    y = y if len(y) > 1 else y[0]
    history = model.fit(x, y, batch_size=4, epochs=1, verbose=0, validation_data=(x, y)).history
    print(sorted(history), model.metrics_names)

def one():
    x = keras.layers.Input([2])
    return keras.Model(x, keras.layers.Dense(1, activation="sigmoid", name="a")(x))

def two():
    x = keras.layers.Input([2])
    return keras.Model(x, [keras.layers.Dense(1, activation="sigmoid", name=name)(x) for name in "ab"])

def own(y_true, y_pred):
    return y_true - y_pred

for model in (one, two):
    trained(model(), loss="binary_crossentropy", metrics=["accuracy", own])
    trained(model(), loss="binary_crossentropy", metrics=["acc", "mae"], weighted_metrics=["accuracy", "MSE", own])
    error, weighted = (keras.metrics.MeanAbsoluteError(name=name) for name in "ef")
    trained(model(), loss="mse", metrics=[error], weighted_metrics=[weighted])
"""


@pytest.mark.oracle
@pytest.mark.parametrize("switch", ["", "tf.compat.v1.enable_eager_execution()", "tf.compat.v1.enable_v2_behavior()"])
def test_names_are_those_of_1_15(switch: str) -> None:
    text = PROGRAM.replace("SWITCH", switch)
    expected = lines(text, "1.15.5")
    assert len(expected) == 6
    assert lines(text, None, "1.15.5") == expected
