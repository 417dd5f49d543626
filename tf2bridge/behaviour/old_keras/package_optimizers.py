"""`get` and `deserialize` of the package keras, which make the classes of keras.optimizers.

In the package keras 2.0 to 2.3, `get("sgd")` is an SGD of the same module, so that programs ask `isinstance(x, SGD)`.
In the Keras of TensorFlow 1.15, `tensorflow.python.keras.optimizers` has those first classes too, but its `get` is that
of tf.keras.optimizers, and makes the later classes. Configurations with a `learning_rate` are of the later ones.
"""

from __future__ import annotations

import importlib
from typing import Any

from tf2bridge.behaviour.old_keras.first_optimizers import OWN, named_by


def get(identifier: Any) -> Any:
    """Returns the optimizer of a name or a configuration; an optimizer as it is, and one of tf.train wrapped."""
    if isinstance(identifier, str):
        identifier = {"class_name": identifier, "config": {}}
    if isinstance(identifier, dict):
        return deserialize(identifier)
    return importlib.import_module("tf_keras.src.optimizers").get(identifier)


def deserialize(config: dict[str, Any], custom_objects: Any = None) -> Any:
    """Returns the optimizer of a configuration."""
    name = named_by(config, custom_objects)
    if not name:
        return importlib.import_module("tf_keras.src.optimizers").deserialize(config, custom_objects)
    return getattr(importlib.import_module(OWN), name).from_config(config["config"])
