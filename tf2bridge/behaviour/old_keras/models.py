"""Models of Keras as in 1.15: methods that Keras dropped, and the loss of several batches as float64.

`predict_classes` and `predict_proba` went with TensorFlow 2.6 (its release notes). Losses were summed as float64,
because NumPy before 2.0 returned float64 for float32 times an int (NEP 50).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.behaviour.old_keras.yaml_models import to_yaml
from tf2bridge.patching import put


def install() -> None:
    """Adds the methods and changes the sum, for the whole process."""
    sequential: Any = importlib.import_module("tf_keras.src.engine.sequential").Sequential
    for method in (predict_proba, predict_classes):
        put(sequential, method.__name__, method)
    put(sequential, "get_config", _with_built_shape(sequential.get_config))
    put(sequential, "add", _adding(sequential.add))
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    put(model, "to_yaml", to_yaml)
    totals: Any = importlib.import_module("tf_keras.src.engine.training_utils_v1").MetricsAggregator
    put(totals, "aggregate", _aggregate)


def _with_built_shape(get_config: Any) -> Any:
    @functools.wraps(get_config)
    def config(self: Any) -> Any:
        """Returns the configuration with the shape of the built model, so that a copy has weights at once."""
        config = get_config(self)
        if not self._is_graph_network and self._build_input_shape:
            shape = self._build_input_shape
            config["build_input_shape"] = tuple(shape.as_list()) if isinstance(shape, tf.TensorShape) else shape
        return config

    return config


def _adding(add: Any) -> Any:
    @functools.wraps(add)
    def called(self: Any, layer: Any) -> None:
        """A layer with several outputs is refused with another error if it is not the first."""
        begun = self.outputs is not None
        try:
            add(self, layer)
        except ValueError as error:
            if begun and str(error).startswith("All layers in a Sequential model should have a single output tensor"):
                raise TypeError(str(error)) from None
            raise

    return called


def predict_proba(self: Any, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
    """Returns the result of `predict`. Warns of values outside of [0, 1]."""
    probabilities = self.predict(x, batch_size, verbose)
    if probabilities.min() < 0.0 or probabilities.max() > 1.0:
        logging.warning(
            "Network returning invalid probability values. The last layer might not normalize predictions into "
            "probabilities (like softmax or sigmoid would)."
        )
    return probabilities


def predict_classes(self: Any, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
    """Returns the class of each sample [batch].

    The class is the index of the largest output (int64). For a single output it is 1 above 0.5, and else 0 (int32).
    """
    outputs = self.predict(x, batch_size=batch_size, verbose=verbose)
    return outputs.argmax(axis=-1) if outputs.shape[-1] > 1 else (outputs > 0.5).astype("int32")


def _aggregate(self: Any, batch_outs: Any, batch_start: int | None = None, batch_end: int | None = None) -> None:
    """Adds a batch. Losses are weighted by the number of samples or steps; of metrics the last value is kept."""
    weight = 1 if self.use_steps else (batch_end or 0) - (batch_start or 0)
    self.results[0] += np.float64(batch_outs[0]) * weight
    self.results[1:] = batch_outs[1:]
