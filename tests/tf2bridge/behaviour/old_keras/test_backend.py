"""Functions of tf.keras.backend give tensors of the shapes that genuine releases give."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
K = tf.keras.backend
made = np.random.RandomState(0)
vectors, matrices, images = (made.randn(*shape).astype("f") for shape in ((2, 4), (2, 3, 4), (2, 5, 6, 3)))
chances = made.rand(2, 7, 5).astype("f")


def say(name, *tensors):
    for tensor in tensors:
        value = K.eval(tensor)
        print(name, tensor.name, value.dtype, value.shape, np.round(value.astype("d"), 4).ravel().tolist()[:60])
    tf.keras.backend.clear_session()


def dots():
    yield matrices, matrices, [2, 2]
    yield vectors, vectors, 1
    yield vectors, vectors, (1, 1)
    yield matrices, vectors, (2, 1)
    yield vectors, matrices, (1, 2)
    yield matrices, matrices.transpose(0, 2, 1), (2, 1)
    yield matrices, matrices, (1, 1)
    yield images, images, (3, 3)
    yield images, images.transpose(0, 1, 3, 2), (3, 2)
    yield images, images, (2, 2)
    yield matrices, np.ones((2, 4, 3, 4), "f"), (1, 2)
    yield matrices, np.ones((2, 3, 4), "f"), (-1, -1)


for x, y, axes in dots():
    try:
        say(("dot", axes), K.batch_dot(K.constant(x), K.constant(y), axes=axes))
    except ValueError as error:
        print("dot", axes, type(error).__name__)
for given in (dict(greedy=True), dict(greedy=False, beam_width=3, top_paths=2)):
    texts, odds = K.ctc_decode(K.constant(chances), K.constant([7, 5], dtype="int32"), **given)
    say(("decode", sorted(given)), *texts)
"""

_BY_ROW = """
chosen = K.constant([True, False], dtype="bool")
say("row", K.switch(chosen, K.constant(matrices), K.constant(-matrices)))
say("row", K.switch(K.constant([1, 0], dtype="int32"), lambda: K.constant(vectors), lambda: K.constant(-vectors)))
say("scalar", K.switch(K.constant(True, dtype="bool"), K.constant(vectors), K.constant(-vectors)))
"""

_DEFAULT_AXES = """
say("default", K.batch_dot(K.constant(matrices), K.constant(matrices.transpose(0, 2, 1))))
say("default", K.batch_dot(K.constant(vectors), K.constant(matrices.transpose(0, 2, 1))))
"""


@pytest.mark.parametrize(
    ("release", "more"),
    [("1.4.1", ""), ("1.12.3", _BY_ROW + _DEFAULT_AXES), ("1.15.5", _BY_ROW + _DEFAULT_AXES)],
)
def test_results_are_those_of_the_release(release: str, more: str) -> None:
    text = _PROGRAM + more
    assert lines(text, None, release.rpartition(".")[0]) == lines(text, release)


def test_inputs_of_a_functional_model_may_be_given_eagerly() -> None:
    text = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
K, layers = tf.keras.backend, tf.keras.layers
a, b = tf.keras.Input((3, 4, 6)), tf.keras.Input((3, 6, 2))
model = tf.keras.Model([a, b], layers.Dot((3, 2))([a, b]))
print(model.output_shape, model.predict([np.ones((2, 3, 4, 6)), np.arange(72).reshape(2, 3, 6, 2)]).tolist())
x, n = tf.keras.Input((7, 5)), tf.keras.Input((1,), dtype="int32")
texts = layers.Lambda(lambda given: K.ctc_decode(given[0], K.flatten(given[1]))[0][0])([x, n])
chances = np.random.RandomState(0).rand(2, 7, 5).astype("f")
print(tf.keras.Model([x, n], texts).predict([chances, np.array([[7], [5]])]).tolist())
"""
    assert lines(text, None, "1.15") == lines(text, "1.15.5")
