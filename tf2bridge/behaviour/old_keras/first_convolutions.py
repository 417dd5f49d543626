"""Convolutions of tf.keras with errors of genuine 1.4.1 to 1.8.0.

- Up to 1.8 `SeparableConv1D` and `SeparableConv2D` ignored `depth_multiplier` and computed with 1.
- Up to 1.5 `Conv3DTranspose` was a `Conv3D`: its kernel is [depth, height, width, channels, filters].

The layers of tf.layers had no such errors.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put

_CONVOLUTIONS = "tf_keras.src.layers.convolutional"
_METHODS = ("build", "call", "compute_output_shape")


def install(release: Release) -> None:
    """Changes the layers in this process. A call for another release replaces the changes of the first."""
    for dimensions in (1, 2):
        kind = _class(f"separable_conv{dimensions}d", f"SeparableConv{dimensions}D")
        if release.before(1, 9):
            put(kind, "__init__", _without_multiplier(kind.__init__))
    turned, plain = _class("conv3d_transpose", "Conv3DTranspose"), _class("conv3d", "Conv3D")
    if release.before(1, 6):
        for name in _METHODS:
            put(turned, name, _plain_in_keras(getattr(turned, name), getattr(plain, name)))


def _class(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"{_CONVOLUTIONS}.{module}"), name)


def _is_of_tf_layers(layer: Any) -> bool:
    return isinstance(layer, importlib.import_module("tf_keras.src.legacy_tf_layers.base").Layer)


def _without_multiplier(made: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        if not _is_of_tf_layers(self):
            self.depth_multiplier = 1

    return changed


def _plain_in_keras(own: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(own)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        return (own if _is_of_tf_layers(self) else plain)(self, *args, **kwargs)

    return changed
