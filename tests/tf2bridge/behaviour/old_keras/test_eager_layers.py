"""Layers of Keras that are called eagerly give the outputs, gradients and weights of genuine 1.15.5."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.same_text import lines, without_signs_of_zeros

_ROWS = Path(__file__).with_name("eager_layers.txt")

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
L = tf.keras.layers


def f(*shape):
    return np.random.RandomState(sum(shape)).rand(*shape).astype("f")


def listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def rounded(values):
    return [float("%.4g" % value) for value in np.asarray(values, "d").ravel()]


x2, x3, x4, x5 = f(4, 6), f(4, 5, 6), f(2, 8, 8, 3), f(2, 4, 4, 4, 2)
ids = np.array([[1, 2, 0], [3, 1, 1]])
for place, row in enumerate(open({path!r}).read().splitlines()[1:]):
    text, data = row.split(" | ")
    layer, x = eval("L." + text), eval(data)
    x = [tf.constant(each) for each in x] if isinstance(x, list) else tf.constant(x)
    layer(x)
    made = np.random.RandomState(place)
    layer.set_weights([made.rand(*weight.shape).astype("f") * 0.5 for weight in layer.get_weights()])
    print(row, [weight.shape for weight in layer.get_weights()])
    for training in (False, True):
        with tf.GradientTape() as tape:
            y = layer(x, training=training)
            total = tf.add_n([tf.reduce_sum(tf.square(tf.cast(each, tf.float32))) for each in listed(y)])
        gradients = tape.gradient(total, layer.trainable_variables) if layer.trainable_variables else []
        sums = [tf.reduce_sum(tf.abs(tf.convert_to_tensor(each))) for each in gradients]
        print([rounded(each)[:8] for each in listed(y)], rounded(sums), rounded(layer.losses))
    print([rounded(weight)[:4] for weight in layer.get_weights()])
"""


@pytest.mark.oracle
def test_layers_are_those_of_1_15() -> None:
    text = _PROGRAM.replace("{path!r}", repr(str(_ROWS)))
    there, here = lines(text, "1.15.5"), lines(text, None, "1.15.5")
    assert len(there) == 4 * 85
    pairs = (tuple(map(without_signs_of_zeros, pair)) for pair in zip(there, here, strict=True))
    assert [pair for pair in pairs if pair[0] != pair[1]] == []
