"""`model.summary()` prints what genuine releases print."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import {module} as tf
{enable}
layers, models = tf.keras.layers, tf.keras.models


def in_a_row():
    model = models.Sequential(name="row")
    model.add(layers.Conv2D(4, 3, input_shape=(8, 8, 3), name="a_name_that_is_longer_than_its_column"))
    model.add(layers.BatchNormalization(name="normalized"))
    model.add(layers.Flatten(name="flat"))
    model.add(layers.Dense(1000, name="wide"))
    return model


def recurrent():
    model = models.Sequential(name="recurrent")
    model.add(layers.Embedding(50, 8, input_length=7, name="words"))
    model.add(layers.LSTM(6, return_sequences=True, name="first"))
    model.add(layers.Bidirectional(layers.GRU(5, name="second"), name="both"))
    return model


def connected():
    first, second = layers.Input((4,), name="first"), layers.Input((4,), name="second")
    shared = layers.Dense(3, name="shared")
    joined = layers.concatenate([shared(first), shared(second)], name="joined")
    one, other = layers.Dense(2, name="one")(joined), layers.Dense(2, name="other")(joined)
    return models.Model([first, second], [one, layers.add([one, other], name="sum")], name="connected")


def inner(name="inner"):
    given = layers.Input((4,), name=name + "_input")
    return models.Model(given, layers.Dense(4, name=name + "_end")(layers.Dense(3, name="middle")(given)), name=name)


def nested():
    given = layers.Input((4,), name="given")
    return models.Model(given, layers.Dense(2, name="end")(inner()(given)), name="nested")


def twice():
    given, same = layers.Input((4,), name="given"), layers.Dense(4, name="same")
    return models.Model(given, same(same(given)), name="twice")


def frozen():
    model = inner("frozen")
    model.layers[1].trainable = False
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    return model


def compiled_before():
    model = inner("compiled")
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    model.layers[1].trainable = False
    return model


for made in [in_a_row, recurrent, connected, nested, twice, frozen] + more:
    model = made()
    model.summary()
model = connected()
model.summary(line_length=80)
model.summary(line_length=90, positions=[0.3, 0.6, 0.8, 1.0])
model.summary(positions=[20, 40, 50, 70])
kept = []
model.summary(print_fn=kept.append)
print(len(kept))
"""

_GRAPH = _PROGRAM.replace("[in_a_row", "[compiled_before, in_a_row").replace(" + more", "")
_EAGER = (
    _PROGRAM.replace("layers, models =", "tf.enable_eager_execution()\nlayers, models =").replace(" + more", "")
    + """


class Own(tf.keras.Model):
    def __init__(self):
        super().__init__(name="own")
        self.end = layers.Dense(3, name="end")

    def call(self, given):
        return self.end(given)


model = Own()
model(tf.zeros((2, 4)))
model.summary()
"""
)


@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_it_is_that_of_the_release(release: str) -> None:
    text = _GRAPH.replace("recurrent, ", "") if release == "1.4.1" else _GRAPH  # whose LSTM forgot the number of steps
    here = lines(text, None, release.rpartition(".")[0])
    assert here == lines(text, release)
    assert len(here) > 100


def test_it_is_that_of_eager_models() -> None:
    assert lines(_EAGER, None, "1.15") == lines(_EAGER, "1.15.5")
