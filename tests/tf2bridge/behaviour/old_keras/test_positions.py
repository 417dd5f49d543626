"""Arguments of tf.keras by position: the same text on a genuine release and here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import oracles, under_run

OF_1_15 = """
import os, tempfile
import tensorflow as tf
keras, layers = tf.keras, tf.keras.layers


def told(made, *names):
    config = made.get_config()
    print(type(made).__name__, *[config.get(name) for name in names])


told(layers.Conv1D(2, 3, 1, "same", "channels_last", 1, "relu", False), "activation", "use_bias")
told(layers.Conv2D(2, 3, 1, "same", None, (1, 1), "relu", False), "activation", "use_bias")
told(layers.Conv3D(2, 3, 1, "same", None, (1, 1, 1), "relu", False), "activation", "use_bias")
told(layers.Conv3DTranspose(2, 3, 1, "same", None, None, "relu", False), "activation", "use_bias")
told(layers.DepthwiseConv2D(3, 1, "same", 2, None, "relu", False), "activation", "depth_multiplier")
told(layers.ConvLSTM2D(4, 3, (1, 1), "same", None, (1, 1), "relu", "sigmoid", False), "padding", "use_bias")
weights = ("zeros", "ones", "ones")
nothing = (None,) * 6
told(layers.LSTM(4, "relu", None, False, *weights, False, *nothing, None, 0.5, 0.25, 2), "dropout", "implementation")
told(layers.GRU(4, "relu", None, False, *weights, *nothing, None, 0.5, 0.25, 2, True), "dropout", "return_sequences")
told(layers.GRUCell(4, "relu", None, False, *weights, *nothing, 0.5, 0.25, 2, True), "dropout", "reset_after")
loss = keras.losses.BinaryCrossentropy(True, 0.1, "sum", "own")
print(loss.reduction, loss.name, keras.losses.SparseCategoricalCrossentropy(True, "sum").reduction)
print(keras.metrics.SensitivityAtSpecificity(0.5, 100, "own").name)
told(keras.optimizers.RMSprop(0.5, 0.75, 0.25), "rho", "momentum")
told(keras.preprocessing.text.Tokenizer(10, "!", True, " ", False, "u", 3), "document_count")
inputs = keras.Input((3,))
model = keras.Model(inputs, layers.Dense(2, name="dense_of_both")(inputs))
model.add_metric(tf.reduce_sum(model.outputs[0]), "mean", "own")
model.compile("sgd", "mse")
print([metric.name for metric in model.metrics])
path = os.path.join(tempfile.mkdtemp(), "model.h5")
model.save(path, True, False)
print(keras.models.load_model(path).optimizer)
other = keras.Sequential([layers.Dense(9, input_shape=(3,), name="another")])
other.load_weights(path, True)
try:
    layers.Conv2D(2, 3, 1, "same", None, (1, 1), "relu", activation="tanh")
except TypeError as error:
    print(str(error).partition(" ")[2])
"""
PRINTED_BY_1_15 = """\
Conv1D relu False
Conv2D relu False
Conv3D relu False
Conv3DTranspose relu False
DepthwiseConv2D relu 2
ConvLSTM2D same False
LSTM 0.5 2
GRU 0.5 True
GRUCell 0.5 True
sum own sum
own
RMSprop 0.75 0.25
Tokenizer 3
['own']
None
got multiple values for argument 'activation'
"""
OF_1_12 = """
import tensorflow as tf

for optimizer in (
    tf.keras.optimizers.SGD(0.5, 0.75, 0.25, True),
    tf.keras.optimizers.RMSprop(0.5, 0.75, 0.125, 0.25),
    tf.keras.optimizers.Adam(0.5, 0.75, 0.875, 0.125, 0.25, True),
    tf.keras.optimizers.Adagrad(0.5, 0.125, 0.25),
):
    config = optimizer.get_config()
    names = ("momentum", "nesterov", "rho", "beta_1", "epsilon", "decay", "amsgrad")
    print(type(optimizer).__name__, *["%s %.4g" % (name, config[name]) for name in names if config.get(name)])
"""
PRINTED_BY_1_12 = """\
SGD momentum 0.75 nesterov 1 decay 0.25
RMSprop rho 0.75 epsilon 0.125 decay 0.25
Adam beta_1 0.75 epsilon 0.125 decay 0.25 amsgrad 1
Adagrad epsilon 0.125 decay 0.25
"""
CASES = [("1.15.5", OF_1_15, PRINTED_BY_1_15), ("1.12.3", OF_1_12, PRINTED_BY_1_12)]


@pytest.mark.parametrize(("release", "program", "printed"), CASES, ids=["1.15", "1.12"])
def test_arguments_stand_in_the_order_of_the_release(release: str, program: str, printed: str, tmp_path: Path) -> None:
    done = under_run.run(program, tmp_path, release.rpartition(".")[0])
    assert done.stdout == printed, done.stderr


@pytest.mark.oracle
@pytest.mark.parametrize(("release", "program", "printed"), CASES, ids=["1.15", "1.12"])
def test_the_genuine_release_has_this_order(release: str, program: str, printed: str) -> None:
    done = oracles.run(release, program)
    assert done.stdout == printed, done.stderr
