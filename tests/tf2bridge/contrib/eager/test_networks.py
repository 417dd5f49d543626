"""Networks of contrib.eager name their variables, and refuse names, as genuine 1.15.5 does."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import {module} as tf
{enable}
from {module}.contrib.eager.python import network
one = tf.ones([1, 1])
def dense(**settings):
    return tf.layers.Dense(1, use_bias=False, **settings)
class Mine(network.Network):
    def __init__(self, *layers, **settings):
        super(Mine, self).__init__(**settings)
        self.steps = [self.track_layer(layer) for layer in layers or [dense()]]
    def call(self, x):
        for step in self.steps:
            x = step(x)
        return x
class Other(Mine):
    pass
def named(*networks):
    for made in networks:
        made(one)
    return [variable.name for made in networks for variable in made.variables], [made.name for made in networks]
def called_in_another_order():
    first = Mine(name="first")
    second = Mine(first.steps[0], dense(), name="second")
    return named(second, first)
def shared():
    inner = Mine()
    first, second = Other(inner), Other(inner, Mine())
    return named(second, first)
def in_a_scope():
    with tf.variable_scope("outer"):
        made = Mine(), Mine(), Mine(name="given")
    with tf.variable_scope("outer"), tf.variable_scope("mine_1"):
        pass
    return named(*made)
def taken(scope):
    with tf.variable_scope(scope):
        pass
    return named(Mine(name="taken"))
def without_its_parent():
    layer = Mine().steps[0]
    return named(Mine(layer))
def trained():
    made = Mine()
    made.trainable = False
CALLS = [
    called_in_another_order,
    shared,
    in_a_scope,
    lambda: taken("taken"),
    lambda: taken("free"),
    lambda: named(Mine(name="same"), Mine(name="same")),
    lambda: named(Mine(Mine(name="same"), Mine(name="same"))),
    without_its_parent,
    trained,
    lambda: Mine().name,
    lambda: Mine(name="a/b"),
    lambda: Mine(name=tf.get_variable_scope()),
    lambda: Mine(3),
]
for call in CALLS:
    with tf.Graph().as_default():
        one = tf.ones([1, 1])
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, error)
"""


@pytest.mark.oracle
def test_names_are_those_of_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert len(expected) == 13, expected
    assert lines(PROGRAM, None, "1.15.5") == expected


def test_the_first_network_gives_a_layer_its_scope() -> None:
    assert lines(PROGRAM, None, "1.15.5")[0] == (
        "(['first/dense/kernel:0', 'second/dense/kernel:0', 'first/dense/kernel:0'], ['second', 'first'])"
    )
