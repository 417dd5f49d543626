"""What `tf.saved_model.save` writes of a Keras model, `tf.keras.models.load_model` reads, as in 1.13 to 1.15."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import tempfile
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
K = tf.keras
x, y = np.ones((4, 3), "float32"), np.ones((4, 2), "float32")
class Subclass(K.Model):
    def __init__(self):
        super(Subclass, self).__init__()
        self.dense = K.layers.Dense(2)
    def call(self, x):
        return self.dense(x)
for made in (K.Sequential([K.layers.Dense(2, input_shape=(3,))]), Subclass()):
    made.compile("sgd", "mse", metrics=["mae"])
    made.fit(x, y, verbose=0)
    folder = tempfile.mkdtemp()
    tf.saved_model.save(made, folder)
    loaded = K.models.load_model(folder)
    print(type(loaded).__name__, np.allclose(loaded(x), made(x)), len(loaded.trainable_variables))
"""


@pytest.mark.oracle
def test_a_saved_model_of_keras_is_loaded_by_keras() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert expected == ["Sequential True 2", "Subclass True 2"]
    assert lines(PROGRAM, None, "1.15.5") == expected
