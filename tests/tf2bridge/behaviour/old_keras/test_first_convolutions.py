"""Convolutions of tf.keras compute what those of 1.4.1 and 1.12.3 do, and those of tf.layers too."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
layers = tf.keras.layers
images = tf.constant(np.random.RandomState(0).rand(2, 8, 8, 3), tf.float32)
blocks = tf.constant(np.random.RandomState(1).rand(2, 4, 4, 4, 2), tf.float32)
made = [
    (layers.SeparableConv2D(2, 3, depth_multiplier=2), images),
    (layers.SeparableConv2D(2, 3), images),
    (layers.Conv3DTranspose(3, 2), blocks),
    (layers.Conv3DTranspose(3, 2, strides=2, padding="same"), blocks),
    (tf.layers.SeparableConv2D(2, 3, depth_multiplier=2), images),
    (tf.layers.Conv3DTranspose(3, 2), blocks),
]
for layer, values in made:
    output = layer(values)
    drawn = np.random.RandomState(2)
    weights = [drawn.rand(*weight.get_shape().as_list()) for weight in layer.weights]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for weight, value in zip(layer.weights, weights):
            weight.load(value, session)
        print(output.get_shape().as_list(), [value.shape for value in weights], "%.5g" % session.run(output).sum())
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.4.1", "1.12.3"])
def test_convolutions_are_those_of_the_release(release: str) -> None:
    there = lines(_PROGRAM, release)
    assert there[2].startswith("[2, 3, 3, 3, 3]" if release == "1.4.1" else "[2, 5, 5, 5, 3]")
    assert lines(_PROGRAM, None, release) == there
