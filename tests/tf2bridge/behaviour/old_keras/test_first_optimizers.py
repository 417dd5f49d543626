"""The optimizers that Keras had first train, keep and are called as in genuine releases."""

from __future__ import annotations

import re

import pytest

from tests.same_text import lines

_MODEL = """
import numpy as np
import {module} as tf
{enable}
keras, K = tf.keras, tf.keras.backend
x, y = (np.random.RandomState(seed).rand(8, size).astype("f") for seed, size in ((0, 3), (1, 2)))
RACING = ("Adam", "Adamax", "Nadam")
NAMES = ("SGD", "RMSprop", "Adagrad", "Adadelta") + RACING


def model():
    # Of one layer: in genuine releases a step reads the weights of a second one, and changes them, in either order.
    return keras.models.Sequential([keras.layers.Dense(2, input_shape=(3,), kernel_initializer="ones")])


def trained(optimizer):
    made = model()
    made.compile(optimizer, "mse")
    losses = made.fit(x, y, verbose=0, epochs=3, shuffle=False, batch_size=4).history["loss"]
    return made, np.round(losses, 3).tolist()


def told(optimizer):
    kept = [(weight.name, weight.shape.as_list()) for weight in optimizer.weights]
    config = {{key: round(value, 6) * 1 for key, value in optimizer.get_config().items()}}
    return kept, [round(float(np.sum(value)), 2) for value in optimizer.get_weights()], sorted(config.items())
"""

_UP_TO_1_13 = (
    _MODEL
    + """
for name in NAMES:
    optimizer = getattr(keras.optimizers, name)(lr=0.1)
    made, losses = trained(optimizer)
    kept, values, config = told(optimizer)
    print(name, isinstance(optimizer, keras.optimizers.Optimizer), kept, config, len(values))
    if name not in RACING:  # they read the number of steps and change it, in either order
        print(losses, values)
    K.set_value(optimizer.lr, 0.5)
    print(K.get_value(optimizer.lr), keras.optimizers.serialize(optimizer)["class_name"])
    K.clear_session()
for name in NAMES:
    made = model()
    made.compile(name, "mse")
    print(name, told(made.optimizer)[2])
    K.clear_session()


class Mine(keras.optimizers.Optimizer):
    def __init__(self, lr=0.1, **kwargs):
        super(Mine, self).__init__(**kwargs)
        with K.name_scope(self.__class__.__name__):
            self.lr, self.iterations = K.variable(lr, name="lr"), K.variable(0, dtype="int64", name="iterations")

    def get_updates(self, loss, params):
        moments = [K.zeros(K.int_shape(each)) for each in params]
        self.weights, self.updates = [self.iterations] + moments, [K.update_add(self.iterations, 1)]
        for weight, gradient, moment in zip(params, self.get_gradients(loss, params), moments):
            velocity = 0.9 * moment - self.lr * gradient
            self.updates += [K.update(moment, velocity), K.update(weight, weight + velocity)]
        return self.updates

    def get_config(self):
        return dict(lr=float(K.get_value(self.lr)))


made, losses = trained(Mine(clipnorm=0.5))
print("mine", losses, told(made.optimizer))
rates = keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 * (epoch + 1))
made.fit(x, y, verbose=0, epochs=2, callbacks=[rates])
print(K.get_value(made.optimizer.lr))
critic = model()
critic.compile("rmsprop", "mse")
critic.train_on_batch(x, y)
whole = keras.models.Sequential([keras.layers.Dense(3, input_shape=(3,)), critic])
whole.compile("adam", "mse")
whole.train_on_batch(x, y)
for each in (critic, whole):
    print([weight.name for weight in each.optimizer.weights])
"""
)

_ORDERED = (
    _MODEL
    + """
from {module}.python.keras import optimizers
for name in RACING:
    optimizer = getattr(optimizers, name)(lr=0.1)
    print(name, trained(optimizer)[1])
    K.clear_session()
"""
)
"""1.15 counts a step before it reads the number."""

_OF_PYTHON_KERAS = (
    _MODEL
    + """
from {module}.python.keras import optimizers
for name in NAMES:
    optimizer = getattr(optimizers, name)(lr=0.1)
    assert type(optimizer) is getattr(optimizers, name.lower())
    print(name, isinstance(optimizer, optimizers.Optimizer), trained(optimizer)[1], told(optimizer))
    K.clear_session()
for decayed in (optimizers.Adam(decay=0.1), optimizers.Adamax(decay=0.1)):  # where the step is counted first
    print(trained(decayed)[1])
print(type(keras.optimizers.get("sgd")) is keras.optimizers.SGD, isinstance(keras.optimizers.SGD(), optimizers.SGD))
"""
)

_EAGERLY = (
    _MODEL.replace("keras, K =", "tf.enable_eager_execution()\nkeras, K =")
    + """
from {module}.python.keras import optimizers
made = [getattr(optimizers, name)(lr=0.1) for name in NAMES]  # a decaying rate races there
more = [optimizers.Adam(amsgrad=True), optimizers.SGD(clipnorm=0.1), "adam", "SGD", "adagrad"]
for optimizer in made + more + [tf.train.AdamOptimizer(0.1), optimizers.TFOptimizer(tf.train.AdamOptimizer(0.1))]:
    print(optimizer if isinstance(optimizer, str) else type(optimizer).__name__, trained(optimizer)[1])
made = model()
made.compile("adagrad", "mse")
print(made.optimizer.get_config()["initial_accumulator_value"])
made = model()
made.compile("sgd", "mse", metrics=["mae", keras.metrics.MeanSquaredError(name="q")])
print([getattr(each, "name", each) for each in made._compile_metrics], made.predict(x).shape)
"""
)


_NUMBER = re.compile(r"-?\d+\.\d+")


def _compare(here: list[str], there: list[str]) -> None:
    """The same text, and the same numbers but for a step in their last digit, which is rounded."""
    assert [_NUMBER.sub("#", line) for line in here] == [_NUMBER.sub("#", line) for line in there]
    numbers = ([float(item) for line in side for item in _NUMBER.findall(line)] for side in (here, there))
    assert next(numbers) == pytest.approx(next(numbers), rel=2e-3, abs=0.011)


@pytest.mark.parametrize("release", ["1.4.1", "1.12.3"])
def test_up_to_1_13_they_are_those_of_tf_keras(release: str) -> None:
    _compare(lines(_UP_TO_1_13, None, release.rpartition(".")[0]), lines(_UP_TO_1_13, release))


def test_up_to_1_13_a_step_is_counted_once() -> None:
    _compare(lines(_ORDERED, None, "1.12"), lines(_ORDERED, "1.15.5"))


def test_up_to_1_13_a_rate_decays_by_the_steps_before() -> None:
    """`lr / (1 + decay * iterations)`, and the step adds 1 to `iterations`: in genuine releases these race."""
    text = """
import numpy as np
import {module} as tf
{enable}
K = tf.keras.backend
for name in ("SGD", "RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax"):
    moves = []
    for decay in (0.0, 3.0):
        K.clear_session()
        model = tf.keras.models.Sequential([tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer="ones")])
        model.compile(getattr(tf.keras.optimizers, name)(lr=0.01, decay=decay), "mae")
        before = 1.0
        for _ in range(3):
            model.train_on_batch(np.ones((1, 1)), -np.ones((1, 1)))
            now = float(model.get_weights()[0][0, 0])
            moves.append(before - now)
            before = now
    print(name, *(np.array(moves[:3]) / moves[3:]))
"""
    for line in lines(text, None, "1.12"):
        name, *shares = line.split()
        assert [float(share) for share in shares] == pytest.approx([1.0, 4.0, 7.0], rel=0.03), name


def test_later_they_are_in_python_keras() -> None:
    _compare(lines(_OF_PYTHON_KERAS, None, "1.15"), lines(_OF_PYTHON_KERAS, "1.15.5"))


def test_eager_models_are_trained_by_them() -> None:
    _compare(lines(_EAGERLY, None, "1.15"), lines(_EAGERLY, "1.15.5"))
