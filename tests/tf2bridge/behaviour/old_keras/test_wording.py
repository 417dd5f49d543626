"""Errors of Keras have the words, and come where they came, in genuine TensorFlow 1.15.5, which gave these lines."""

from __future__ import annotations

import importlib
import inspect
import re

from tests import forked
from tf2bridge.behaviour.old_ops import wording

PROGRAM = """
import numpy as np
from tf2bridge import v1 as tf
tf.enable(api="1.15")
K, L = tf.keras, tf.keras.layers
def model(count=1, **settings):
    made = K.Sequential([L.Dense(2, input_shape=(3,)) for _ in range(count)])
    if settings:
        made.compile(**{"optimizer": "sgd", "loss": "mse", **settings})
    return made
def another_size():
    layer = L.Dense(2)
    layer(K.Input((3,)))
    layer(K.Input((4,)))
def another_count(path):
    model(2).save_weights(path)
    model(3).load_weights(path)
cases = [
    lambda: L.LSTM(3, name="lstm")(K.Input((3,))),
    lambda: L.Conv2D(2, 3, name="conv")(K.Input((3,))),
    lambda: L.Conv2D(2, 3, name="conv")(K.Input((1, 5, 5, 3))),
    another_size,
    lambda: L.Dense(3)(K.backend.placeholder(shape=(None, None))),
    lambda: another_count(__import__("tempfile").mkdtemp() + "/weights.h5"),
    lambda: model(loss="nothing"),
    lambda: model(metrics=["nothing"]),
    lambda: L.Dense(2, activation="nothing"),
    lambda: L.Dense(2, kernel_initializer="nothing"),
    lambda: K.models.model_from_json('{"class_name": "Nothing", "config": {}}'),
    lambda: L.Concatenate()([K.Input((3, 4)), K.Input((2, 3))]),
    lambda: L.Add()([K.Input((3, 4))]),
    lambda: L.Concatenate()([K.Input((3, 4))]),
    lambda: L.Add()([K.Input((3, 4)), K.Input((5, 4))]),
    lambda: L.Dot(axes=1)([K.Input((3,)), K.Input((5,))]),
    lambda: L.ZeroPadding2D((1, 2, 3)),
    lambda: K.Sequential([3]),
    lambda: model().get_layer("nothing"),
    lambda: model().layers[0].set_weights([np.zeros((4, 4)), np.zeros(2)]),
    lambda: K.Sequential([L.Dense(3)], name="it").get_weights(),
    lambda: L.Dense(2).input_shape,
    lambda: K.metrics.AUC(curve="nothing"),
    lambda: K.metrics.MeanTensor().result(),
    lambda: K.models.load_model("/nowhere"),
    lambda: K.optimizers.SGD(nothing=1),
]
for case in cases:
    try:
        print(case())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
"""
GENUINE = """\
ValueError Input 0 of layer lstm is incompatible with the layer: expected ndim=3, found ndim=2. \
Full shape received: [None, 3]
ValueError Input 0 of layer conv is incompatible with the layer: expected ndim=4, found ndim=2. \
Full shape received: [None, 3]
ValueError Input 0 of layer conv is incompatible with the layer: expected ndim=4, found ndim=5. \
Full shape received: [None, 1, 5, 5, 3]
ValueError Input 0 of layer dense is incompatible with the layer: expected axis -1 of input shape to have value 3 \
but received input with shape [None, 4]
ValueError The last dimension of the inputs to `Dense` should be defined. Found `None`.
ValueError You are trying to load a weight file containing 2 layers into a model with 3 layers.
ValueError Unknown loss function:nothing
ValueError Unknown metric function:nothing
ValueError Unknown activation function:nothing
ValueError Unknown initializer:nothing
ValueError Unknown layer: Nothing
ValueError A `Concatenate` layer requires inputs with matching shapes except for the concat axis. \
Got inputs shapes: [(None, 3, 4), (None, 2, 3)]
ValueError A merge layer should be called on a list of at least 2 inputs. Got 1 inputs.
ValueError A `Concatenate` layer should be called on a list of at least 2 inputs
ValueError Operands could not be broadcast together with shapes (3, 4) (5, 4)
ValueError Dimension incompatibility 3 != 5. Layer shapes: (None, 3), (None, 5)
ValueError `padding` should have two elements. Found: (1, 2, 3)
TypeError The added layer must be an instance of class Layer. Found: 3
ValueError No such layer: nothing
ValueError Layer weight shape (3, 2) not compatible with provided weight shape (4, 4)
ValueError Weights for model it have not yet been created. Weights are created when the Model is first called on \
inputs or `build()` is called with an `input_shape`.
AttributeError The layer has never been called and thus has no defined input shape.
ValueError Invalid AUC curve value "nothing".
ValueError MeanTensor does not have any result yet. Please call the MeanTensor instance or use \
`.update_state(value)` before retrieving the result.
OSError SavedModel file does not exist at: /nowhere/{saved_model.pbtxt|saved_model.pb}
TypeError Unexpected keyword argument passed to optimizer: nothing
"""


def test_errors_are_those_of_1_15() -> None:
    done = forked.run(PROGRAM)
    assert done.stdout.splitlines() == GENUINE.splitlines(), done.stderr


def test_each_row_is_about_a_function_that_is_there_and_fills_what_its_pattern_finds() -> None:
    for place, rows in {**wording.texts(wording.OF_KERAS), **wording.texts(wording.OF_TENSORFLOW)}.items():
        module, _, path = place.partition(":")
        owner = importlib.import_module(module)
        for name in path.split("."):
            owner = inspect.getattr_static(owner, name)
        for pattern, then in rows.items():
            assert {int(number) for number in re.findall(r"\\(\d)", then)} <= set(range(re.compile(pattern).groups + 1))
