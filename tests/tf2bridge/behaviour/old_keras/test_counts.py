"""Layers whose operations are counted for op seeds."""

import inspect

from tf2bridge.behaviour.old_keras import counts
from tf2bridge.patching import PatchSet
from tf2bridge.v1 import keras


def test_a_counted_layer_takes_the_arguments_that_it_took():
    # Keras hands `training` to a layer with **kwargs: Embedding.call(inputs) of tf_keras has none
    with PatchSet("counted layers").for_a_while():
        counts.install()
        specification = inspect.getfullargspec(keras.layers.Embedding(5, 3).call)
    assert specification.varkw is None
    assert specification.args == ["self", "inputs"]
