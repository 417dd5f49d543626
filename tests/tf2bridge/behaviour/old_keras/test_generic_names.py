"""Subclassed models have generic names of inputs and outputs, and what goes by these names, as in 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_v2_behavior()
keras = tf.keras

class TwoOutputs(keras.Model):
    def __init__(self):
        super(TwoOutputs, self).__init__()
        self.parts = [keras.layers.Dense(units, kernel_initializer="ones") for units in (1, 2)]

    def call(self, inputs):
        return [part(tensor) for part, tensor in zip(self.parts, inputs)]

first, second = np.ones((4, 2), "f"), np.ones((4, 3), "f")
labels = np.array([[0.0], [1.0], [0.0], [1.0]], "f")
pairs = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], "f")

def losses(model, x, y, **options):
    model.compile("sgd", "mse")
    history = model.fit(x, y, 4, 2, verbose=0, shuffle=False, **options)
    return ["%.3f" % value for value in history.history["loss"]]

for options in (
    dict(),
    dict(class_weight=dict(output_1={{0: 2.0, 1: 0.5}})),
    dict(class_weight=dict(output_1={{0: 2.0, 1: 0.5}}, output_2={{0: 1.0, 1: 3.0}})),
    dict(class_weight=[{{0: 2.0, 1: 0.5}}, None]),
    dict(class_weight=dict(output_1={{0: 2.0, 1: 0.5}}), sample_weight=dict(output_2=np.arange(4.0))),
):
    model = TwoOutputs()
    print(losses(model, [first, second], [labels, pairs], **options), model.input_names, model.output_names)
model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
print(losses(model, first, labels), model.input_names, model.output_names)

inputs = [keras.Input((2,)), keras.Input((2,))]
for options in (dict(), dict(sample_weight=np.arange(4.0))):
    outputs = keras.layers.Dense(1, kernel_initializer="ones")(keras.layers.Concatenate()(inputs))
    model = keras.Model(inputs, outputs)
    print(losses(model, [first, 2 * first], labels, class_weight={{0: 2.0, 1: 0.5}}, **options))
"""


@pytest.mark.oracle
def test_names_and_class_weights_are_those_of_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5")
    assert len(expected) == 8
    assert lines(PROGRAM, None, "1.15") == expected


CLONES = """
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_v2_behavior()
from tensorflow.python.keras import models
from tensorflow.python.keras.layers import kernelized
keras = tf.keras
x, y = np.ones((4, 2), "f"), np.ones((4, 1), "f")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones")])
model.compile(tf.compat.v1.train.AdamOptimizer(0.01), "mse")
counter = keras.backend.variable(123, dtype="int64")
clone = models.clone_and_build_model(model, compile_clone=True, optimizer_iterations=counter)
clone.fit(x, y, batch_size=2, verbose=0)
print(keras.backend.eval(counter))
model.compile("sgd", "mse", target_tensors=[keras.Input((1,))])
print("%.3f" % model.train_on_batch(x, y))
layers = keras.layers
for layer, shape in (
    (layers.Cropping1D((2, 2)), (1, 4, 2)),
    (layers.Cropping1D((1, 0)), (1, 4, 2)),
    (layers.Cropping2D(((2, 2), (0, 1))), (1, 4, 3, 2)),
    (layers.Cropping2D(((2, 0), (0, 1)), data_format="channels_first"), (1, 2, 4, 3)),
    (layers.Cropping3D(((2, 2), (0, 1), (3, 0))), (1, 4, 3, 3, 2)),
    (layers.Cropping3D(((2, 1), (0, 1), (1, 0)), data_format="channels_first"), (1, 2, 4, 3, 3)),
):
    result = layer(np.arange(np.prod(shape)).reshape(shape).astype("f")).numpy()
    print(result.shape, result.tolist())
features = kernelized.RandomFourierFeatures(3, name="features")
features(x)
print(sorted(weight.name for weight in features.weights))
"""


@pytest.mark.oracle
def test_clones_targets_and_crops_are_those_of_1_15() -> None:
    expected = lines(CLONES, "1.15.5")
    assert len(expected) == 9
    here = CLONES.replace("tensorflow.python.keras import models", "tf_keras.src.models import cloning as models")
    here = here.replace("tensorflow.python.keras.layers", "tf_keras.src.layers")
    assert lines(here, None, "1.15") == expected
