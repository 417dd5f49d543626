"""What programs import from the package keras 2.0 to 2.3 by the paths of its modules."""

import importlib
import subprocess
import sys

import pytest

from codemods.symbols import Answer, lookup
from tf2bridge.behaviour.old_keras import interfaces, lists
from tf2bridge.v1.catalog import keras_package

KERAS = "tf2bridge.v1.python.keras"


class Layer:
    @interfaces.legacy_conv2d_support
    def __init__(self, filters, kernel_size=3, data_format=None, use_bias=True):
        self.arguments = filters, kernel_size, data_format, use_bias

    @interfaces.legacy_add_weight_support
    def add_weight(self, name, shape, initializer=None):
        return name, shape, initializer

    @interfaces.legacy_get_updates_support
    def get_updates(self, loss, params):
        return loss, params


NAMES = sorted({*keras_package.OWN, *keras_package.ALIASES, *keras_package.MOVED})


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(keras_package.PACKAGE)])
def test_names_are_there_for_programs_run_and_rewritten(name):
    module, _, last = name.rpartition(".")
    assert getattr(importlib.import_module(f"tf2bridge.v1.{module}"), last) is not None
    assert lookup(name).answer is Answer.BRIDGE


def test_modules_of_keras_are_imported_by_their_paths():
    backend = importlib.import_module(f"{KERAS}.backend.tensorflow_backend")
    assert callable(backend.set_session)
    topology = importlib.import_module(f"{KERAS}.engine.topology")
    assert issubclass(topology.Container, topology.Layer)


def test_a_layer_takes_the_words_of_keras_1():
    with pytest.warns(UserWarning, match="nb_filter of Keras 1 is filters"):
        layer = Layer(nb_filter=4, dim_ordering="th", bias=False)
    assert layer.arguments == (4, 3, "channels_first", False)
    assert Layer(4, kernel_size=5).arguments == (4, 5, None, True)


def test_both_words_at_once_are_refused():
    with pytest.raises(TypeError, match="nb_filter and filters, which are the same; leave nb_filter out"):
        Layer(nb_filter=4, filters=4)


def test_orders_of_keras_1_are_told_by_the_first_argument():
    layer = Layer(4)
    assert layer.add_weight((2, 3), "w", initializer="zero") == ("w", (2, 3), "zero")
    assert layer.add_weight("w", (2, 3)) == ("w", (2, 3), None)
    assert layer.get_updates(["x"], {}, "loss") == ("loss", ["x"])
    assert layer.get_updates("loss", ["x"]) == ("loss", ["x"])


def test_a_shape_is_put_into_the_order_of_its_data_format():
    assert lists.transpose_shape((16, 128, 64, 32), "channels_first", (1, 2)) == (16, 32, 128, 64)
    assert lists.transpose_shape((16, 128, 64, 32), "channels_last", (1, 2)) == (16, 128, 64, 32)
    with pytest.raises(ValueError, match='has to be "channels_first" or "channels_last"'):
        lists.transpose_shape((1, 2), "NHWC", (0,))


def test_lists_of_one_are_unpacked():
    assert lists.unpack_singleton([3]) == 3
    assert lists.unpack_singleton([3, 4]) == [3, 4]
    value = object()
    assert lists.object_list_uid([value]) == lists.object_list_uid(value) == str(id(value))


PROGRAM = """
import importlib
import keras
import tensorflow as tf
from keras import optimizers
from keras.optimizers import *
from tensorflow.python.keras import layers, optimizers as of_tensorflow

made = optimizers.SGD(lr=0.5)
same = optimizers.deserialize({"class_name": "SGD", "config": made.get_config()})
named = [optimizers.get(name) for name in ("sgd", "Adam")]
print(type(same) is optimizers.SGD, same.get_config() == made.get_config(), optimizers.get(made) is made)
print(isinstance(named[0], SGD), isinstance(named[1], Adam), type(get("sgd")) is of_tensorflow.SGD)
print(keras.optimizers is optimizers is importlib.import_module("keras.optimizers"), keras.layers is layers)
print(of_tensorflow.get is tf.keras.optimizers.get, isinstance(of_tensorflow.get("sgd"), tf.keras.optimizers.SGD))
print("SGD" in dir(optimizers), "layers" in dir(keras), hasattr(optimizers, "none_such"))
"""


@pytest.mark.parametrize("api", ["1.12", "1.15"])
def test_optimizers_are_of_the_classes_of_their_module(api, tmp_path):
    """In 1.15 `get` of tensorflow.python.keras.optimizers is that of tf.keras, which makes other classes."""
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "tf2bridge", "run", "--api", api, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.stdout.splitlines()[-5:] == [
        "True True True",
        "True True True",
        "True True",
        "True True",
        "True True False",
    ], done.stderr
