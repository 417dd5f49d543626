"""`tf.keras.experimental.WideDeepModel` halves the sum of its two models, as in 1.15; tf_keras adds them up."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put


def install() -> None:
    """Changes the class in this process."""
    model: Any = importlib.import_module("tf_keras.src.premade_models.wide_deep").WideDeepModel
    put(model, "call", _halved(model.call))


def _halved(call: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `call`, with half of the sum as the argument of the activation."""

    @functools.wraps(call)
    def changed(self: Any, inputs: Any, training: Any = None) -> Any:
        activation, self.activation = self.activation, None
        try:
            output = tf.nest.map_structure(lambda total: 0.5 * total, call(self, inputs, training))
        finally:
            self.activation = activation
        return tf.nest.map_structure(activation, output) if activation else output

    return changed
