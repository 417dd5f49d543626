"""`model.to_yaml` and `tf.keras.models.model_from_yaml`.

Keras dropped both with TensorFlow 2.6, since such a text could make any Python object when it was loaded (its release
notes). Facts are those of TensorFlow 1.15.5. Here a text can only make the objects of a model's configuration.
"""

from __future__ import annotations

import importlib
from typing import Any

from tf2bridge.behaviour.installed import KERAS, supplier

_TUPLE = "tag:yaml.org,2002:python/tuple"


def to_yaml(self: Any, **kwargs: Any) -> str:
    """Returns the configuration of a model, without its weights.

    Args:
        self: The model.
        **kwargs: Arguments of `yaml.dump`.

    Raises:
        ImportError: The package PyYAML is not installed.
    """
    text: str = _yaml().dump(self._updated_config(), **kwargs)
    return text


def model_from_yaml(yaml_string: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """Returns a model with the configuration that a text describes, with new weights, not compiled.

    Args:
        yaml_string: What `to_yaml` of this or an older release returned, or a file of it.
        custom_objects: Classes and functions of the model by name.

    Raises:
        ImportError: The package PyYAML is not installed.
        yaml.YAMLError: The text is no YAML, or would make other Python objects than tuples.
    """
    yaml = _yaml()

    class Loader(yaml.SafeLoader):  # type: ignore[misc, name-defined]
        """Knows the tuples of configurations, besides plain values."""

    Loader.add_constructor(_TUPLE, lambda loader, node: tuple(loader.construct_sequence(node)))
    config = yaml.load(yaml_string, Loader=Loader)  # a safe loader
    return supplier(KERAS).layers.deserialize(config, custom_objects=custom_objects)


def _yaml() -> Any:
    """Returns the package, which few programs need. Raises ImportError in the words of 1.15."""
    try:
        return importlib.import_module("yaml")
    except ModuleNotFoundError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
