"""`HDF5Matrix`, `multi_gpu_model` and `convert_all_kernels_in_model` do what those of 1.15.5 do."""

from __future__ import annotations

from pathlib import Path

from tests.same_text import lines

_PROGRAM = """
import h5py
import numpy as np
import {module} as tf
{enable}
keras = tf.keras
PATH = {path!r}
with h5py.File(PATH, "w") as file:
    file["data"] = np.arange(40).reshape(10, 4)
part = keras.utils.HDF5Matrix(PATH, "data", 2, 8, lambda rows: rows * 2)
print(len(part), part.shape, part.ndim, part.size, part.dtype)
for key in (1, np.int64(3), [1, 3], slice(1, 3), slice(None), np.array([0, 5]), 6, [1, 6], slice(0, 7), np.array([6])):
    try:
        print(str(key), part[key].tolist())
    except IndexError as error:
        print(str(key), "IndexError", error.args)
print(keras.utils.HDF5Matrix(PATH, "data").shape)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,), kernel_initializer="ones")])
model.compile("sgd", "mse")
print(model.predict(keras.utils.HDF5Matrix(PATH, "data", 2, 8)).tolist())
for gpus in (1, 2, [0], [0, 1], (3, 5)):
    try:
        keras.utils.multi_gpu_model(model, gpus)
    except ValueError as error:
        print(str(error).partition("However")[0])  # 1.15 counts XLA's device
layers = [keras.layers.Conv2D(2, 2, input_shape=(4, 4, 1)), keras.layers.SeparableConv2D(2, 2)]
model = keras.Sequential(layers)
before = model.get_weights()
keras.utils.convert_all_kernels_in_model(model)
after = model.get_weights()
print(np.array_equal(after[0], before[0][::-1, ::-1]), [np.array_equal(*pair) for pair in zip(before[1:], after[1:])])
"""


def test_they_are_those_of_1_15(tmp_path: Path) -> None:
    text = _PROGRAM.replace("{path!r}", repr(str(tmp_path / "data.h5")))
    there = lines(text, "1.15.5")
    assert lines(text, None, "1.15.5") == there
    assert len(there) == 19


_TWO_DEVICES = """
import numpy as np
import tensorflow
import {module} as tf
{enable}
from tf2bridge.keras import multi_gpu
keras = tf.keras
multi_gpu._check = lambda gpus, numbers: None
inner = keras.layers.Input((3,))
model = keras.Model(inner, [keras.layers.Dense(2, name="a")(inner), keras.layers.Dense(1, name="b")(inner)])
double = keras.utils.multi_gpu_model(model, 2)
x = np.random.RandomState(0).randn(5, 3).astype("f")
same = [np.allclose(*pair) for pair in zip(model.predict(x), double.predict(x))]
print(double.output_names, len(double.trainable_weights), same)
print(sorted({{op.device for op in tf.get_default_graph().get_operations() if "replica" in op.name and op.device}}))
double.compile("sgd", "mse")
before = model.get_weights()
double.train_on_batch(x, [np.ones((5, 2)), np.ones((5, 1))])
print([not np.array_equal(*pair) for pair in zip(before, model.get_weights())])
"""


def test_parts_of_a_batch_are_computed_by_devices_of_their_own() -> None:
    """There is no GPU here: only the check of what there is gives way."""
    assert lines(_TWO_DEVICES, None, "1.15.5") == [
        "['a', 'b'] 4 [True, True]",
        "['/device:GPU:0', '/device:GPU:1']",
        "[True, True, True, True]",
    ]
