"""Metrics of models that are trained eagerly: their kind, names and values are those of genuine TensorFlow 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
K = tf.keras
x = np.arange(12).reshape(4, 3).astype("float32") / 12
labels = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0]], "float32")
def model(*sizes):
    source = K.Input((3,))
    make = lambda i: K.layers.Dense(sizes[i], "sigmoid", kernel_initializer="ones", name="out%d" % i)
    return K.Model(source, [make(i)(source) for i in range(len(sizes))])
class Subclass(K.Model):
    def __init__(self):
        super(Subclass, self).__init__()
        self.dense = K.layers.Dense(3, "sigmoid", kernel_initializer="ones")
    def call(self, x):
        return self.dense(x)
def show(made, *data):
    print(made.metrics_names, [metric.name for metric in made.metrics])
    history = made.fit(x, *data, epochs=2, verbose=0, shuffle=False).history
    print([(name, [round(float(value), 4) for value in history[name]]) for name in sorted(history)])
    print(made.metrics_names, [metric.name for metric in made.metrics], made.evaluate(x, *data, verbose=0)[1:] != [])
for loss in ("binary_crossentropy", "categorical_crossentropy", "mse", K.losses.BinaryCrossentropy()):
    for made in (model(3), Subclass()):
        made.compile("sgd", loss, metrics=["accuracy", "mae"])
        if isinstance(made, Subclass):
            made.fit(x, labels, verbose=0)
        show(made, labels)
made = model(3)
made.compile("sgd", "sparse_categorical_crossentropy", metrics=["acc", "crossentropy"])
show(made, np.array([[0], [1], [2], [1]]))
made = model(3, 1)
made.compile("sgd", dict(out0="binary_crossentropy", out1="mse"), metrics=dict(out0=["acc"], out1=["acc", "mse"]),
             weighted_metrics=dict(out1=["mae"]))
show(made, [labels, labels[:, :1]])
made.compile("sgd", ["mse", None], metrics=["acc"])
print(made.metrics_names, [metric.name for metric in made.metrics], made._loss_weights_list)
made = model(1)
print(made.metrics_names, made.metrics)
made.add_metric(tf.reduce_sum(made.outputs[0]), name="sum", aggregation="mean")
made.compile("sgd", "mse", metrics=[K.metrics.MeanSquaredError(name="own")], loss_weights=[2.0])
show(made, labels[:, :1])
print(made._loss_weights_list)
"""


@pytest.mark.oracle
def test_metrics_are_those_of_the_loss() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert len(expected) == 3 * 11 + 3
    assert lines(PROGRAM, None, "1.15.5") == expected
