"""The weights of `RandomFourierFeatures` have the names of 1.15, so that checkpoints of it are read."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.patching import put

_NAMES = {
    "unscaled_kernel": "unscaled_random_features",
    "bias": "random_features_bias",
    "kernel_scale": "random_features_scale",
}
"""Weight of tf_keras -> its name in 1.15 (keras/layers/kernelized.py)."""


def install() -> None:
    """Changes the layer in this process."""
    layer: Any = importlib.import_module("tf_keras.src.layers.kernelized").RandomFourierFeatures
    put(layer, "add_weight", _named(layer.add_weight))


def _named(add_weight: Any) -> Any:
    @functools.wraps(add_weight)
    def added(self: Any, name: str | None = None, *args: Any, **kwargs: Any) -> Any:
        return add_weight(self, _NAMES.get(str(name), name), *args, **kwargs)

    return added
