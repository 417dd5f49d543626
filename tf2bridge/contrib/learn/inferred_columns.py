"""Feature columns inferred from the shapes and types of inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column_ops.parsing import infer_real_valued_columns
from tf2bridge.contrib.learn.array_input import ArrayInput


def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], Any]) -> list[Any]:
    """Returns a real-valued column for each feature. Raises ValueError if a feature is not numeric."""
    with tf.Graph().as_default():
        features, _ = input_fn()
        return infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """Returns a real-valued column for an array, or for each array of a dictionary."""
    return infer_real_valued_columns_from_input_fn(ArrayInput(x, None, None, shuffle=False, epochs=1).input_fn)
