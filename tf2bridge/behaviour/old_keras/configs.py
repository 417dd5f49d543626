"""Writes configurations of Keras models so that 1.15 can read them, in h5 files and as JSON.

tf_keras writes arguments that 1.15 does not know ("groups" of a convolution, "optional" of an input), and has other
names for some classes ("Functional", "HeNormal", "L2"). Such an argument is left out if its value means what 1.15 does
anyway.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.patching import put

_ADDED: dict[str, Any] = {"groups": 1, "keepdims": False, "optional": False, "score_mode": "dot", "seed": None}
"""Argument -> the value with which a layer does what it did in 1.15."""

_ADDED_TO: dict[str, dict[str, Any]] = {
    "AUC": {"from_logits": False, "label_weights": None, "multi_label": False, "num_labels": None},
    "BinaryCrossentropy": {"axis": -1},
    "CategoricalCrossentropy": {"axis": -1},
    "MeanIoU": {"axis": -1, "ignore_class": None, "sparse_y_pred": True, "sparse_y_true": True},
    "SensitivityAtSpecificity": {"class_id": None},
    "SparseCategoricalCrossentropy": {"ignore_class": None},
    "SpecificityAtSensitivity": {"class_id": None},
    "Attention": {"dropout": 0.0},
    "AdditiveAttention": {"dropout": 0.0},
    "Functional": {"trainable": True},
}
_REGISTERED = ("module", "registered_name", "build_config")
_SCALING = {
    "HeNormal": (2.0, "truncated_normal"),
    "HeUniform": (2.0, "uniform"),
    "LecunNormal": (1.0, "truncated_normal"),
    "LecunUniform": (1.0, "uniform"),
}
"""Initializer -> scale and distribution of the VarianceScaling that it is."""


def install() -> None:
    """Changes the configurations that are written, for the whole process."""
    files: Any = importlib.import_module("tf_keras.src.saving.legacy.saving_utils")
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    for owner, name in ((files, "model_metadata"), (model, "_updated_config")):
        put(owner, name, _written(getattr(owner, name)))
    loss: Any = importlib.import_module("tf_keras.src.losses").LossFunctionWrapper
    put(loss, "get_config", _without_function(loss, loss.get_config))


def as_in_1_15(value: Any) -> Any:
    """Returns the configuration, a nest of dicts and lists, in the words of 1.15."""
    if isinstance(value, (list, tuple)):
        parts = [as_in_1_15(part) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if not isinstance(value, dict):
        return value
    config = {key: as_in_1_15(part) for key, part in value.items()}
    return _renamed(config) if isinstance(config.get("config"), dict) and "class_name" in config else config


def _renamed(serialized: dict[str, Any]) -> dict[str, Any]:
    """Returns a serialized object under the names of 1.15. Its parts have these names already."""
    name, config = serialized["class_name"], serialized["config"]
    added = {**_ADDED, **_ADDED_TO.get(name, {})}
    config = {key: setting for key, setting in config.items() if key not in added or setting != added[key]}
    if serialized.get("registered_name") is None:
        serialized = {key: part for key, part in serialized.items() if key not in _REGISTERED}
    if name == "Functional":
        name = "Model"
    elif name in ("L1", "L2"):
        name, config = "L1L2", {"l1": 0.0, "l2": 0.0, **config}
    elif name in _SCALING:
        scale, distribution = _SCALING[name]
        config = {"scale": scale, "mode": "fan_in", "distribution": distribution, **config, "dtype": "float32"}
        name = "VarianceScaling"
    return {**serialized, "class_name": name, "config": config}


def _without_function(base: Any, get_config: Any) -> Any:
    """Returns `get_config` of losses without "fn".

    In 1.15 "fn" is not an argument of a class of losses, which has its function.
    """

    @functools.wraps(get_config)
    def changed(self: Any) -> dict[str, Any]:
        config = get_config(self)
        return config if type(self) is base else {key: value for key, value in config.items() if key != "fn"}

    return changed


def _written(function: Any) -> Any:
    @functools.wraps(function)
    def changed(*args: Any, **kwargs: Any) -> Any:
        return as_in_1_15(function(*args, **kwargs))

    return changed
