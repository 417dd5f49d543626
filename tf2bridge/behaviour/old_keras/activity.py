"""Penalties on the outputs of a layer: since 1.13 they are divided by the batch size.

This also holds for the layers of `tf.layers` and of contrib, which have the same base class.
"""

from __future__ import annotations

import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put

_PLACES = ("tf_keras.src.engine.base_layer_v1", "tf_keras.src.engine.base_layer")
_METHOD = "_handle_activity_regularization"


def install(release: Release) -> None:
    """Changes the base classes of layers for the whole process; for other releases, restores them."""
    if release.before(1, 13):
        for place in _PLACES:
            put(importlib.import_module(place).Layer, _METHOD, _whole)


def _whole(self: Any, inputs: Any, outputs: Any) -> None:
    if self.activity_regularizer:
        with tf.name_scope("ActivityRegularizer"):
            for output in tf.nest.flatten(outputs):
                self.add_loss(self.activity_regularizer(output), inputs=inputs)
