"""SavedModels of Keras models, as 1.13 to 1.15 wrote and read them.

`tf.keras.experimental.load_from_saved_model` reads what `export_saved_model` wrote. Keras dropped both with TensorFlow
2.2. Facts are those of TensorFlow 1.15.5: the directory holds the model's configuration as an asset, and its weights as
an object-based checkpoint. `tf.saved_model.save` wrote what `tf.keras.models.load_model` reads, which needs a file of
metadata today.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)
_SAVING = "tf_keras.src.saving.legacy.saved_model"


def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Writes an object as a SavedModel; one of Keras with its metadata, so that Keras can load it.

    Args:
        obj: A trackable object, such as a model, a layer or a `tf.Module`.
        export_dir: The directory.
        signatures: A function, or functions by the names of the signatures.
        options: `tf.saved_model.SaveOptions` of TensorFlow 2.
    """
    implementation: Any = importlib.import_module(f"{_SAVING}.save_impl")
    is_whole = isinstance(obj, _keras.layers.Layer) and not implementation.should_skip_serialization(obj)
    if is_whole and (tf.executing_eagerly() or getattr(obj, "_is_graph_network", False)):
        writer: Any = importlib.import_module(f"{_SAVING}.save")
        writer.save(obj, export_dir, overwrite=True, include_optimizer=True, signatures=signatures, options=options)
    else:
        tf.saved_model.save(obj, export_dir, signatures, options)


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
