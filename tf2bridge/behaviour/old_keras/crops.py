"""Cropping layers that leave nothing give empty tensors, as in 1.15; tf_keras refuses them."""

from __future__ import annotations

import importlib
from typing import Any

from tf2bridge.patching import put

_RANKS = (1, 2, 3)


def install() -> None:
    """Changes the layers in this process."""
    for rank in _RANKS:
        module: Any = importlib.import_module(f"tf_keras.src.layers.reshaping.cropping{rank}d")
        put(getattr(module, f"Cropping{rank}D"), "call", _cropped)


def _cropped(self: Any, inputs: Any) -> Any:
    """Returns the inputs without the first and last places of each dimension that is cropped."""
    pairs = [self.cropping] if isinstance(self.cropping[0], int) else self.cropping
    kept = tuple(slice(first, -last or None) for first, last in pairs)
    channels_first = getattr(self, "data_format", None) == "channels_first"
    before = (slice(None),) * (2 if channels_first else 1)
    return inputs[before + kept]
