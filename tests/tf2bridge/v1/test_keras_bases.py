"""Private modules of `tensorflow.python.keras` give classes and functions that fit the layers of tf_keras."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import os
import tempfile
import h5py
import numpy as np
import {module} as tf
{enable}
keras = tf.keras
merge, convolutional, pooling, recurrent, wrappers, saving, hdf5_format = {modules}

class Half(merge._Merge):
    def _merge_function(self, inputs):
        return (inputs[0] + inputs[1]) / 2

pair = [keras.Input((2,)), keras.Input((2,))]
print(keras.Model(pair, Half()(pair)).predict([np.ones((1, 2)), 3 * np.ones((1, 2))]).tolist())
layers = keras.layers
print(isinstance(layers.Conv2D(1, 1), convolutional.Conv), isinstance(layers.MaxPool1D(), pooling.Pooling1D))
print(isinstance(layers.GlobalMaxPooling2D(), pooling.GlobalPooling2D))
print(isinstance(layers.LSTMCell(1), recurrent.DropoutRNNCellMixin))
print(layers.RNN(wrappers.ResidualWrapper(layers.SimpleRNNCell(2)))(tf.ones((1, 2, 2))).shape)

model = keras.Sequential([layers.Dense(2, input_shape=(3,), name="first"), layers.Dense(1, name="second")])
path = os.path.join(tempfile.mkdtemp(), "weights.h5")
with h5py.File(path, "w") as group:
    hdf5_format.save_weights_to_hdf5_group(group, model.layers)
written = model.get_weights()
for load, wanted in (
    (saving.load_weights_from_hdf5_group, model.layers),
    (saving.load_weights_from_hdf5_group_by_name, model.layers[:1]),
):
    model.set_weights([np.full_like(weight, 7) for weight in written])
    with h5py.File(path, "r") as group:
        load(group, wanted)
    print([bool((read == weight).all()) for read, weight in zip(model.get_weights(), written)])
"""
_PATHS = (
    *("layers.merge", "layers.convolutional", "layers.pooling", "layers.recurrent", "layers.rnn_cell_wrapper_v2"),
    *("engine.saving", "saving.hdf5_format"),
)


def _importing(package: str) -> str:
    listed = ", ".join(f'"{package}.{path}"' for path in _PATHS)
    return PROGRAM.replace("{modules}", f"map(__import__('importlib').import_module, ({listed}))")


@pytest.mark.oracle
def test_subclasses_checks_and_weights_are_those_of_1_15() -> None:
    expected = lines(_importing("tensorflow.python.keras"), "1.15.5")
    assert len(expected) == 7
    assert lines(_importing("tf2bridge.v1.python.keras"), None, "1.15") == expected
