"""`tf.keras.experimental.load_from_saved_model`: models that `export_saved_model` of 1.13 to 1.15 wrote.

Keras dropped both with TensorFlow 2.2. Facts are those of TensorFlow 1.15.5: the directory holds the model's
configuration as an asset, and its weights as an object-based checkpoint.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)


def load_from_saved_model(saved_model_path: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """Returns the Keras model that was exported to a directory, with its weights, not compiled.

    Args:
        saved_model_path: The directory.
        custom_objects: Classes and functions of the model by name.

    Raises:
        NotFoundError: The directory is no such export: it has no "assets/saved_model.json".
    """
    folder = Path(tf.compat.path_to_str(saved_model_path))
    with tf.io.gfile.GFile(str(folder / "assets" / "saved_model.json")) as file:
        model = _keras.models.model_from_json(file.read(), custom_objects=custom_objects)
    model.load_weights(str(folder / "variables" / "variables"))
    return model
