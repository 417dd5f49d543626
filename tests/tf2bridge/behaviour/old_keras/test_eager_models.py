"""Models that are trained eagerly take class weights and tell their losses as in 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_eager_execution()
keras = tf.keras
x = np.linspace(-1.0, 1.0, 30).reshape([10, 3]).astype("f")

def trained(units, y, loss, **options):
    model = keras.Sequential([keras.layers.Dense(units, input_shape=(3,), kernel_initializer="ones")])
    model.compile("sgd", loss)
    history = model.fit(x, y, 4, epochs=3, verbose=0, shuffle=False, **options).history
    print(["%.3f" % value for value in history["loss"]])

labels = np.arange(10) % 2 + 1
trained(1, labels - 1, "mse", class_weight={{0: 1.0, 1: 3.0}})
trained(1, labels - 1, "mse", class_weight={{0: 1.0, 1: 3.0}}, sample_weight=np.arange(10.0))
trained(1, labels, "mse", class_weight={{1: 0.5, 2: 3.0}})
trained(1, labels[:, None] * 3, "mse", class_weight={{3: 0.5, 6: 3.0}})
trained(4, np.eye(4)[labels], "mse", class_weight={{1: 0.5, 2: 3.0}})
trained(1, labels, "mse", class_weight={{1: 0.5, 2: 3.0}}, sample_weight=np.arange(10.0))
try:
    trained(1, labels + 1, "mse", class_weight={{1: 0.5, 2: 3.0}})
except (ValueError, tf.errors.InvalidArgumentError) as error:
    print("must contain all classes in the data" in str(error))
layers = [
    keras.layers.Dense(2, input_shape=(3,), kernel_regularizer="l2", activity_regularizer="l1"),
    keras.layers.Dense(2, bias_regularizer="l2", kernel_regularizer="l1"),
]
model = keras.Sequential(layers)
print(len(model.get_losses_for(None)), len(model.get_losses_for(model.inputs)), len(model.get_updates_for(None)))
print([len(layer.get_losses_for(None)) for layer in layers])
"""


@pytest.mark.oracle
def test_eager_models_are_those_of_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5")
    assert len(expected) == 9
    assert lines(PROGRAM, None, "1.15.5") == expected


_INPUTS = """
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_eager_execution()

class Joined(tf.keras.Model):
    def __init__(self):
        super(Joined, self).__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, inputs):
        self.kind = type(inputs).__name__.replace("EagerTensor", "Tensor")
        parts = [inputs[key] for key in sorted(inputs)] if isinstance(inputs, dict) else inputs
        return self.dense(tf.concat(parts, 1) if isinstance(parts, list) else parts)

a, b, y = np.ones((4, 2), "f"), np.ones((4, 3), "f"), np.ones((4, 1), "f")
slices = tf.data.Dataset.from_tensor_slices
for x in (b, [b], [a, b], dict(a=a, b=b), dict(b=b), slices(((a, b), y)).batch(2)):
    model, kinds = Joined(), []
    model.compile("sgd", "mse")
    given = (x,) if isinstance(x, tf.data.Dataset) else (x, y)
    model.fit(*given, epochs=1, verbose=0)
    kinds.append(model.kind)
    model.evaluate(*given, verbose=0)
    kinds.append(model.kind)
    model.predict(given[0])
    kinds.append(model.kind)
    if len(given) == 2:
        model.train_on_batch(*given)
        kinds.append(model.kind)
    print(kinds)
"""


@pytest.mark.oracle
def test_inputs_reach_a_model_of_a_class_as_in_1_15() -> None:
    there = lines(_INPUTS, "1.15.5")
    assert there[2] == str(["list"] * 4)
    assert lines(_INPUTS, None, "1.15.5") == there


_ADDED = """
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_eager_execution()
keras = tf.keras
inputs, targets = keras.Input((1,)), keras.Input((1,))
outputs = keras.layers.Dense(1, kernel_initializer="ones")(inputs)
x, y = np.array([[0.0], [1.0], [2.0]]), np.array([[0.5], [2.0], [3.5]])
absolute = keras.losses.MeanAbsoluteError
for added, loss in ((absolute(), absolute()), (tf.losses.mean_squared_error, None)):
    model = keras.Model([inputs, targets], outputs)
    model.add_loss(added(targets, outputs))
    model.compile(tf.train.GradientDescentOptimizer(0.025), loss)
    history = model.fit([x, y], *[y][: loss is not None], batch_size=3, epochs=3, verbose=0)
    print(np.round(history.history["loss"], 4).tolist())
"""


@pytest.mark.oracle
def test_the_same_loss_of_layers_and_of_outputs() -> None:
    there = lines(_ADDED, "1.15.5")
    assert len(there) == 2
    assert lines(_ADDED, None, "1.15.5") == there


_WORKERS = """
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_eager_execution()
x, y = np.ones((4, 3), "f"), np.ones((4, 1), "f")

def batches():
    while True:
        yield x, y

class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 4

    def __getitem__(self, place):
        return x, y

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
print(np.round(model.fit_generator(batches(), 4, workers=0, verbose=0).history["loss"], 4).tolist())
print(np.round(model.fit_generator(Batches(), workers=0, verbose=0).history["loss"], 4).tolist())
print(round(float(model.evaluate_generator(batches(), 4, workers=0)), 4))
print(np.round(model.predict_generator(batches(), 2, workers=0), 4).tolist())
try:
    model.fit_generator(batches(), 0, workers=0, verbose=0)
    print("taken")
except ValueError:
    print("refused")
"""


@pytest.mark.oracle
def test_no_worker_is_needed() -> None:
    there = lines(_WORKERS, "1.15.5")
    assert len(there) == 5
    assert lines(_WORKERS, None, "1.15.5") == there
