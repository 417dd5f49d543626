"""`trainable` of a layer may be any truth value, as in 1.15: None, 0, 1, or what NumPy gives.

tf_keras 2.21 raises TypeError for what is no bool (engine/base_layer.py).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put

_CHECKED = (bool, tf.Tensor, tf.Variable)


def install() -> None:
    """Changes the base of all layers, for the whole process."""
    base: Any = importlib.import_module("tf_keras.src.engine.base_layer").Layer
    put(base, "__init__", _with_any_flag(base.__init__))


def _with_any_flag(made: Any) -> Any:
    @functools.wraps(made)
    def changed(self: Any, trainable: Any = True, *args: Any, **kwargs: Any) -> None:
        made(self, trainable if isinstance(trainable, _CHECKED) else bool(trainable), *args, **kwargs)
        if not isinstance(trainable, _CHECKED):
            self._trainable = trainable  # `layer.trainable` and `get_config()` give what was given

    return changed
