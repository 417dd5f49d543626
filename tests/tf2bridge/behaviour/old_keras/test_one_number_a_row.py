"""Models that are trained eagerly: rows that are numbers, `distribute=`, and what makes an L1L2, as in 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
K = tf.keras
x = np.arange(8, dtype="float32") / 8
class Subclass(K.Model):
    def __init__(self):
        super(Subclass, self).__init__()
        self.dense = K.layers.Dense(1, kernel_initializer="ones")
    def call(self, x):
        return self.dense(x)
for strategy in (None, tf.distribute.get_strategy(), tf.contrib.distribute.OneDeviceStrategy("/cpu:0")):
    dense = K.layers.Dense(1, kernel_initializer="ones", input_shape=(1,))
    for made in (Subclass(), K.Sequential([dense])):
        if strategy is None or not isinstance(made, Subclass):
            made.compile(tf.train.GradientDescentOptimizer(0.01), "mse", metrics=["mae"], distribute=strategy)
            history = made.fit(x, 2 * x, batch_size=4, epochs=2, shuffle=False, verbose=0).history
            print([(name, [round(float(value), 4) for value in history[name]]) for name in sorted(history)])
            print(made.predict(x[:4], batch_size=4).shape)
source = K.Input((), dtype="float32")
print(K.Model(source, K.layers.Lambda(lambda values: values * 2)(source)).predict(x[:3]).tolist())
made = K.Sequential([K.layers.Dense(3), K.layers.Dense(2)])
made.compile("sgd", "mse")
made.fit(np.ones((4, 5)), np.ones((4, 2)), verbose=0)
print(made.get_config()["build_input_shape"], len(K.Sequential.from_config(made.get_config()).weights))
print(len(K.models.model_from_json(made.to_json()).weights))
for activation in (None, "sigmoid"):
    wide = K.experimental.LinearModel(1, kernel_initializer="ones")
    both = K.experimental.WideDeepModel(wide, K.Sequential([K.layers.Dense(1, kernel_initializer="ones")]), activation)
    result = both([tf.constant([[1.0]]), tf.constant([[2.0]])])
    print(round(float(result), 4), int(result), result.shape)
R = K.regularizers
for made in (R.l2(0.1), R.l1(l=0.2), R.l2(), R.l1_l2(), R.get("l2")):
    config = made.get_config()
    print(type(made).__name__, isinstance(made, R.L1L2), [round(float(config[name]), 4) for name in sorted(config)])
@tf.contrib.framework.deprecated("2016-07-04", "Use another.")
def old():
    "Does it."
print(old.__doc__)
"""


@pytest.mark.oracle
def test_rows_strategies_and_penalties_are_those_of_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert expected[1] == "(4, 1)" and expected[8] == "[0.0, 0.25, 0.5]"
    assert lines(PROGRAM, None, "1.15.5") == expected
