"""Models refuse what 1.15.5 refuses, trained in a graph or eagerly, in its words."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
EAGER
keras = tf.keras
layers = keras.layers


class Twice(layers.Layer):
    def call(self, inputs):
        return [3 * inputs, 2 * inputs]


def tried(name, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
        print(name, "is taken")
    except (TypeError, ValueError) as error:
        text = str(error).partition(": [array")[0][:220].replace("\\n", " ")
        print(name, type(error).__name__, text.replace("np.int64(0)", "0"))


tried("several outputs", keras.Sequential, [layers.Dense(1, input_shape=(1,)), Twice()])
tried("several at first", keras.Sequential, [layers.Lambda(lambda x: [x, x], input_shape=(1,))])
deferred = keras.Sequential([layers.Dense(2)])
deferred.build((None, 3))
copied = keras.Sequential.from_config(deferred.get_config())
print(sorted(deferred.get_config()), copied.built, len(copied.weights))

inner = layers.Input((3,), name="x")
outer = layers.Dense(2, name="y")(inner)
model = keras.Model(inner, [outer, layers.Dense(2, name="z")(inner)])
tried("loss of no output", model.compile, "sgd", {{"wrong": "mse"}})
tried("losses", model.compile, "sgd", ["mse", "mae", "mse"])
tried("no loss", model.compile, "sgd", None)
tried("weight of no output", model.compile, "sgd", "mse", loss_weights={{"a": 1}})
tried("weights", model.compile, "sgd", "mse", loss_weights=[1.0])
tried("metrics", model.compile, "sgd", "mse", metrics=[["mae"]] * 3)
tried("metrics of no output", model.compile, "sgd", "mse", metrics={{"q": "mae"}})
tried("kind of metrics", model.compile, "sgd", "mse", metrics=3)
tried("by outputs", model.compile, "sgd", {{"y": "mse", "z": "mse"}}, [["mae"], ["mse"]], loss_weights={{"y": 2.0}})
x, y = np.ones((4, 3)), np.ones((4, 2))
for name in ("train_on_batch", "test_on_batch"):
    tried("one of two targets", getattr(model, name), x, y)
    tried("three targets", getattr(model, name), x, [y] * 3)
tried("lengths", model.fit, x, [y, np.ones((3, 2))], verbose=0)
tried("shape of inputs", model.fit, np.ones((4, 2)), [y, y], verbose=0)
tried("shape of targets", model.evaluate, x, [y, np.ones((4, 5))], verbose=0)
tried("input by another name", model.fit, {{"q": x}}, [y, y], verbose=0)
tried("by names", model.fit, {{"x": x}}, {{"y": y, "z": y}}, verbose=0)
tried("lists", model.fit, [x], [y, y], verbose=0)
only = keras.Model(inner, outer)
only.compile("sgd", "categorical_crossentropy")
tried("classes as numbers", only.fit, x, np.ones((4, 1)), verbose=0)
only.compile("sgd", "sparse_categorical_crossentropy")
tried("sparse", only.fit, x, np.ones((4, 1)), verbose=0)
only.compile("sgd", "categorical_crossentropy")
one = np.ones(4)
if not tf.executing_eagerly():
    tried("lists of numbers", only.fit, [x.tolist()], [y.tolist()], verbose=0)
tried("a class without weight", only.fit, x, np.eye(4)[:, :2], class_weight={{1: 1.0}}, verbose=0)
model.compile("sgd", "mse")
tried("weights of one output", model.fit, x, [y, y], sample_weight=[one], verbose=0)
tried("weights of no output", model.fit, x, [y, y], sample_weight=one, verbose=0)
tried("weights by name", model.fit, x, [y, y], sample_weight={{"y": one}}, verbose=0)
tried("weights of steps", model.fit, x, [y, y], sample_weight={{"y": np.ones((4, 2))}}, verbose=0)
tried("unknown output", model.fit, x, [y, y], class_weight={{"q": {{0: 1.0}}}}, verbose=0)
sizes = [layers.Input((1,), batch_size=size) for size in (2, 3)]
tried("batch sizes", keras.Model, sizes, layers.Concatenate()([sizes[0], sizes[0]]))


class Measured(layers.Layer):
    def call(self, inputs):
        self.add_metric(tf.reduce_mean(inputs), name="m", **METRIC)
        return inputs


for METRIC in ({{}}, {{"aggregation": "mean"}}):
    try:
        Measured()(layers.Input((2,)))
        print("value as a metric is taken")
    except ValueError as error:
        print("value as a metric", "We do not support adding an aggregated metric result tensor" in str(error))
if tf.executing_eagerly():
    inner = layers.Input((3,), sparse=True)
    outer = layers.Lambda(lambda x: tf.sparse.to_dense(x))(inner)
    tried("sparse shape", keras.Model(inner, outer).predict, tf.SparseTensor([[0, 0]], [1.0], [1, 4]))
"""


@pytest.mark.parametrize("eager", ["", "tf.compat.v1.enable_eager_execution()"])
def test_it_is_what_1_15_refuses(eager: str) -> None:
    text = _PROGRAM.replace("EAGER", eager)
    there = lines(text, "1.15.5")
    assert lines(text, None, "1.15.5") == there
    assert len(there) == 34


def test_an_eager_model_takes_a_list_of_numbers_for_each_input() -> None:
    text = _PROGRAM.replace("EAGER", "tf.compat.v1.enable_eager_execution()").replace(
        "if not tf.executing_eagerly()", "if 1"
    )
    assert "lists of numbers is taken" in lines(text, None, "1.15.5")
