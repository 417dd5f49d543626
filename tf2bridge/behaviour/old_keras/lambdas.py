"""Lambda layers may create variables, as in the releases; tf_keras refuses them.

Since 1.14 the layer makes each variable once and lists it in its weights. Before, each call makes new variables, which
are not in its weights (python/keras/layers/core.py of 1.4.1, 1.12.3, 1.13.2, 1.14.0 and 1.15.5). Up to 1.11 a session
of Keras initializes them: it initializes all global variables (python/keras/backend.py of 1.4.1), since 1.12 only those
that layers added.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put


def install(release: Release) -> None:
    """Changes the layer for the whole process."""
    layer: Any = importlib.import_module("tf_keras.src.layers.core.lambda_layer").Lambda
    if not release.before(1, 14):
        put(layer, "call", _calling(_kept))
    else:
        put(layer, "call", _calling(_initialized if release.before(1, 12) else None))


def _calling(creator: Callable[[Any], Any] | None) -> Any:
    def call(self: Any, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        arguments = dict(self.arguments)
        if self._fn_expects_mask_arg:
            arguments["mask"] = mask
        if self._fn_expects_training_arg:
            arguments["training"] = training
        with tf.variable_creator_scope(creator(self)) if creator else nullcontext():
            return self.function(inputs, **arguments)

    return call


def _initialized(layer: Any) -> Any:
    del layer

    def made(create: Any, **keywords: Any) -> Any:
        variable = create(**keywords)
        _backend().track_variable(variable)
        return variable

    return made


def _kept(layer: Any) -> Any:
    known = vars(layer).setdefault("_variable_dict", {})

    def made(create: Any, **keywords: Any) -> Any:
        name = keywords["name"]
        if name not in known:
            known[name] = create(**keywords)
            weights = layer._trainable_weights if known[name].trainable else layer._non_trainable_weights
            weights.append(known[name])
            _backend().track_variable(known[name])
        return known[name]

    return made


def _backend() -> Any:
    return importlib.import_module("tf_keras.src.backend")
