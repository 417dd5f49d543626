"""Eager models are trained in batches of the size that 1.12.3, 1.14.0 and 1.15.5 choose where a program names none."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
x, y = np.ones((64, 3), "f"), np.ones((64, 1), "f")
layers = tf.keras.layers


class Pairs(tf.keras.utils.Sequence):
    def __len__(self):
        return 4

    def __getitem__(self, place):
        return x[:2], y[:2]


class Batches(tf.keras.callbacks.Callback):
    def __init__(self):
        self.trained = self.tested = 0

    def on_batch_begin(self, batch, logs=None):
        self.trained += 1

    def HOOK(self, batch, logs=None):
        self.tested += 1


def tried(name, method, *args, **kwargs):
    counter = Batches()
    try:
        if method.__name__ == "fit":
            kwargs["callbacks"] = [counter]
        method(*args, verbose=0, **kwargs)
        print(name, counter.trained, counter.tested)
    except ValueError as error:
        print(name, str(error).split("Received input")[0])


inputs = tf.keras.Input(batch_shape=(4, 3))
fixed = tf.keras.Sequential([layers.Dense(1, batch_input_shape=(4, 3))])
free = tf.keras.Sequential([layers.Dense(1, input_shape=(3,))])
for model in [fixed, tf.keras.Model(inputs, layers.Dense(1)(inputs)), free]:
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    tried("fit", model.fit, x, y)
    tried("fit by 8", model.fit, x, y, 8)
    tried("fit by 4", model.fit, x, y, batch_size=4)
    tried("fit and validate", model.fit, x, y, validation_data=(x, y))
    tried("predict by 8", model.predict, x, 8)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
tried("data", model.fit, data, steps_per_epoch=2)
tried("sequence", model.fit, Pairs())
LATER
"""
_LATER = """
tried("data by 4", model.fit, data, batch_size=4, steps_per_epoch=2)
tried("sequence by 2", model.fit, Pairs(), batch_size=2)
tried("sequence and arrays", model.fit, Pairs(), validation_data=(x[:8], y[:8]))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_sizes_are_chosen_as_there(release: str) -> None:
    later, hook = (_LATER, "on_test_batch_begin") if release == "1.15.5" else ("", "no_hook")
    text = _PROGRAM.replace("LATER", later).replace("HOOK", hook)
    there = lines(text, release)
    assert there[0] == ("fit 16 0" if release == "1.15.5" else "fit 2 0")
    assert lines(text, None, release) == there
