"""Layers whose operations are counted for op seeds."""

import inspect

import tf2bridge.v1
from tf2bridge.v1 import keras

tf2bridge.v1.enable()


def test_a_counted_layer_takes_the_arguments_that_it_took():
    # Keras hands `training` to a layer with **kwargs: Embedding.call(inputs) of tf_keras has none
    specification = inspect.getfullargspec(keras.layers.Embedding(5, 3).call)
    assert specification.varkw is None
    assert specification.args == ["self", "inputs"]
