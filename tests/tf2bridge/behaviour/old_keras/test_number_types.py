"""Training reports NumPy's numbers of the types of genuine 1.4.1, 1.12.3 and 1.15.5, and for as many epochs."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
EAGER
K = tf.keras
x, y = np.ones((5, 3), np.float32), np.ones((5, 2), np.float32)
def kinds(values):
    if isinstance(values, dict):
        return [(key, kinds(value)) for key, value in sorted(values.items()) if key != "batch"]
    return [kinds(value) for value in values] if isinstance(values, list) else type(values).__name__
class Logs(K.callbacks.Callback):
    def on_batch_end(self, batch, logs=None):
        if batch == 0:
            print("batch", kinds(logs))
    def on_epoch_end(self, epoch, logs=None):
        print("epoch", kinds(logs))
inner = K.layers.Input((3,))
first, second = K.layers.Dense(2, name="a")(inner), K.layers.Dense(2, name="b")(inner)
models = [
    (K.models.Sequential([K.layers.Dense(2, input_shape=(3,))]), y),
    (K.models.Model(inner, [first, second]), [y, y]),
]
for model, targets in models:
    for metrics in ([], ["mae"]):
        model.compile(tf.train.GradientDescentOptimizer(0.1), "mse", metrics)
        history = model.fit(x, targets, verbose=0, batch_size=2, validation_data=(x, targets), callbacks=[Logs()])
        print("fit", kinds(history.history))
        print("evaluate", kinds(model.evaluate(x, targets, verbose=0, batch_size=2)))
        print("steps", kinds(model.train_on_batch(x, targets)), kinds(model.test_on_batch(x, targets)))
inner = K.layers.Input((1,))
fixed = K.models.Model(inner, K.layers.Lambda(lambda x: 0.1 * x)(inner))
fixed.compile(tf.train.GradientDescentOptimizer(0.0), "mse")
values = np.array([[0.1], [0.7], [0.3]], np.float32)
print("%.17g" % fixed.evaluate(values, values * 3, verbose=0, batch_size=2))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5", "1.12.3 eager", "1.15.5 eager"])
def test_types_are_those_of_the_release(release: str) -> None:
    name, _, mode = release.partition(" ")
    program = _PROGRAM.replace("EAGER", "tf.enable_eager_execution()" if mode else "")
    expected = lines(program, name, name)
    assert len(expected) > 20, expected
    assert lines(program, None, name)[: -1 if mode else None] == expected[: -1 if mode else None]


def test_a_loss_is_a_float64_and_a_metric_a_float32() -> None:
    found = lines(_PROGRAM.replace("EAGER", "tf.enable_eager_execution()"), None, "1.15.5")
    assert "evaluate ['float64', 'float32']" in found
    assert "steps float32 float32" in found
