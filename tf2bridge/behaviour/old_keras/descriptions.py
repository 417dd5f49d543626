"""What Keras's classes say about themselves: parameters of BatchNormalization, layers in the config of a Sequential.

- tf_keras has a constructor of `*args, **kwargs` for the BatchNormalization of 1.x. In 1.15 `inspect.signature` gives
  its parameters.
- In 1.15 the config of a Sequential has the layers of `model.layers`. The shape of the inputs stands in that of the
  first one, and there is no InputLayer (engine/sequential.py of 1.15.5). The config is in the words of 1.15.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.old_keras.configs import as_in_1_15
from tf2bridge.patching import put

_NORMALIZATION = "tf_keras.src.layers.normalization.batch_normalization"
_LATER = ("synchronized",)
_SHAPE = "batch_input_shape"


def install() -> None:
    """Changes both in this process."""
    base: Any = importlib.import_module(_NORMALIZATION).BatchNormalizationBase
    norm: Any = importlib.import_module(f"{_NORMALIZATION}_v1").BatchNormalization
    put(norm, "__init__", _with_parameters(norm.__init__, inspect.signature(base.__init__)))
    sequential: Any = importlib.import_module("tf_keras.src.engine.sequential").Sequential
    put(sequential, "get_config", _of_layers(sequential.get_config))


def _with_parameters(original: Callable[..., Any], signature: inspect.Signature) -> Any:
    @functools.wraps(original)
    def constructor(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)

    known = [parameter for name, parameter in signature.parameters.items() if name not in _LATER]
    changed: Any = constructor
    changed.__signature__ = signature.replace(parameters=known)
    return changed


def _of_layers(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def get_config(self: Any) -> dict[str, Any]:
        config: dict[str, Any] = original(self)
        config["layers"] = layers = as_in_1_15(config["layers"])
        if len(layers) > 1 and layers[0]["class_name"] == "InputLayer":
            first = layers[1]["config"]
            if _SHAPE not in first:
                first[_SHAPE] = layers[0]["config"][_SHAPE]
            config["layers"] = layers[1:]
        return config

    return get_config
