"""Models of layers are called on tensors of other sizes than their inputs, as in 1.12 and 1.15."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
EAGER
layers = tf.keras.layers

def tried(name, call):
    try:
        results = call()
        print(name, [str(result.shape) for result in (results if isinstance(results, list) else [results])])
    except Exception as error:
        print(name, "refused")

first, second = tf.keras.Input((8, 8, 3)), tf.keras.Input((8, 8, 3))
model = tf.keras.Model(first, layers.Conv2D(2, 3)(first))
both = tf.keras.Model([first, second], layers.Concatenate()([layers.Conv2D(2, 3)(each) for each in (first, second)]))
row = tf.keras.Sequential([layers.Dense(2, input_shape=(4,))])
same = tf.keras.Sequential([layers.Activation("relu", input_shape=(1,))])
picked = tf.keras.Sequential([layers.Lambda(lambda x: tf.one_hot(tf.cast(x, tf.int32), 3), input_shape=(2,))])
images = tf.ones((2, 12, 12, 3))
tried("size", lambda: model(images))
tried("sequence of layers", lambda: tf.keras.Sequential([layers.Conv2D(2, 3, input_shape=(8, 8, 3))])(images))
tried("two", lambda: both([images, images]))
tried("two by one", lambda: model([images, images]))
tried("one by two", lambda: both([images]))
tried("one in a list", lambda: model([images]))
tried("channels", lambda: model(tf.ones((2, 8, 8, 4))))
tried("rank", lambda: model(tf.ones((2, 8, 8))))
tried("columns", lambda: row(tf.ones((2, 5))))
tried("rows of rows", lambda: row(tf.ones((2, 3, 4))))
tried("no column", lambda: same(tf.ones((5,))))
tried("a column more", lambda: same(tf.ones((5, 1, 1))))
tried("other type", lambda: model(tf.ones((2, 8, 8, 3), tf.float64)))
tried("whole numbers", lambda: picked(tf.constant([[1, 2]])))
larger = tf.keras.Input((16, 16, 3))
tried("nested", lambda: tf.keras.Model(larger, model(larger)).output)
tried("at each time", lambda: layers.TimeDistributed(model)(tf.keras.Input((5, 8, 8, 3))))
tried("arrays", lambda: model.predict(np.ones((2, 12, 12, 3), "f")))
tried("arrays of one column", lambda: same.predict(np.ones((5,), "f")))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("eager", ["", "tf.enable_eager_execution()"], ids=["graph", "eager"])
@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_tensors_of_other_sizes(release: str, eager: str) -> None:
    text = _PROGRAM.replace("EAGER", eager)
    there = lines(text, release)
    assert there[0] == "size ['(2, 10, 10, 2)']"
    assert lines(text, None, release) == there


_STEPS = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
layers = tf.keras.layers
x, y = np.ones((8, 12, 12, 3), "f"), np.ones((8, 1), "f")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
for name, call in (
    ("data", lambda model: model.fit(data, steps_per_epoch=2, verbose=0)),
    ("evaluated", lambda model: model.evaluate(data, steps=2, verbose=0)),
    ("tensors", lambda model: model.fit(tf.constant(x), tf.constant(y), verbose=0)),
    ("predicted", lambda model: model.predict(tf.constant(x))),
    ("batch", lambda model: model.train_on_batch(tf.constant(x), tf.constant(y))),
    ("arrays", lambda model: model.fit(x, y, verbose=0)),
):
    model = [layers.Conv2D(2, 3, input_shape=(8, 8, 3)), layers.GlobalAveragePooling2D(), layers.Dense(1)]
    model = tf.keras.Sequential(model)
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    try:
        call(model)
        print(name, "taken")
    except ValueError:
        print(name, "refused")
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_training_on_other_sizes(release: str) -> None:
    """1.12 trained eager models on them, 1.15 refuses."""
    there = lines(_STEPS, release)
    assert {line.split()[1] for line in there} == {"taken" if release == "1.12.3" else "refused"}
    assert lines(_STEPS, None, release) == there
