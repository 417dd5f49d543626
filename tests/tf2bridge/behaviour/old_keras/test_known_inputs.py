"""Models that learn their inputs from data have `inputs` and `outputs` as in genuine 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
EAGER
K = tf.keras
class Own(K.Model):
    def __init__(self, count):
        super(Own, self).__init__()
        self.parts = [K.layers.Dense(2 + number) for number in range(count)]
    def call(self, inputs):
        found = [part(inputs) for part in self.parts]
        return found if len(found) > 1 else found[0]
def shapes(tensors):
    return [(tensor.shape.as_list(), tensor.dtype.name) for tensor in tensors]
x = np.ones((4, 3), np.float32)
for model, sizes in ((Own(1), [2]), (Own(2), [2, 3]), (K.Sequential([K.layers.Dense(2)]), [2])):
    print(model.inputs, model.outputs)
    model.compile("sgd", "mse")
    print(model.inputs, model.outputs)
    targets = [np.ones((4, size), np.float32) for size in sizes]
    model.fit(x, targets if len(sizes) > 1 else targets[0], verbose=0)
    print(shapes(model.inputs), shapes(model.outputs))
    model.predict(x)
    print(shapes(model.inputs), shapes(model.outputs), len(model.weights))
called = K.Sequential([K.layers.Dense(2)])
called(tf.zeros([1, 3]))
print(called.built, called.inputs, called.outputs)
declared = Own(2)
declared._set_inputs(x)
print(declared.built, shapes(declared.inputs), [weight.shape.as_list() for weight in declared.weights])
model = K.Sequential([K.layers.Dense(2, input_shape=(3,))])
print(shapes(model.inputs), shapes(model.outputs))
"""


@pytest.mark.parametrize("eager", ["", "tf.compat.v1.enable_eager_execution()"])
def test_they_are_those_of_1_15(eager: str) -> None:
    text = _PROGRAM.replace("EAGER", eager)
    there = lines(text, "1.15.5")
    assert len(there) == 15
    assert lines(text, None, "1.15.5") == there
