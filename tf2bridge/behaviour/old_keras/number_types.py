"""The numbers that models report are NumPy's, as in all of 1.x: float32, or float64 where they are means over batches.

`train_on_batch` and the logs of a batch have float32. `evaluate`, `History` and the logs of an epoch have float64 for
the loss, and before 1.13 for all metrics. tf_keras gives Python's floats, whose digits are those of a float64: a
program that prints them would print others. Before 1.5 `Sequential.fit` trained for 10 epochs if nothing was said.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put

_LOSSES = ("loss", "val_loss")


def install(release: Release) -> None:
    """Changes models and callbacks in this process. A call for another release replaces the changes of the first."""
    utils: Any = importlib.import_module("tf_keras.src.utils.tf_utils")
    callbacks: Any = importlib.import_module("tf_keras.src.callbacks")
    listed, logger = callbacks.CallbackList, callbacks.BaseLogger
    models = [importlib.import_module(f"tf_keras.src.engine.{name}").Model for name in ("training", "training_v1")]
    all_wide = release.before(1, 13)
    put(utils, "sync_to_numpy_or_python_type", numbers)
    put(listed, "on_epoch_end", _of_epoch(listed.on_epoch_end, all_wide))
    put(logger, "on_batch_end", _summing(logger.on_batch_end, all_wide))
    for model in models:
        put(model, "evaluate", _evaluating(model.evaluate, all_wide))
        if release.before(1, 5):
            _train_ten_epochs(model)


def numbers(tensors: Any) -> Any:
    """Returns the structure with NumPy's arrays and numbers for tensors; ragged and sparse tensors stay."""
    return tf.nest.map_structure(_number, tensors.fetch() if hasattr(tensors, "fetch") else tensors)


def _number(value: Any) -> Any:
    if isinstance(value, tf.Tensor):
        value = value.numpy()
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def _wide(value: Any) -> Any:
    return np.float64(value) if isinstance(value, np.floating | float) else value


def _summing(add: Callable[..., Any], all_wide: bool) -> Callable[..., Any]:
    """Returns `BaseLogger.on_batch_end`, which sums in float64: so does NumPy 1 if a size multiplies a float32."""

    @functools.wraps(add)
    def on_batch_end(self: Any, batch: int, logs: Any = None) -> Any:
        kept = () if all_wide else self.stateful_metrics
        return add(self, batch, {key: value if key in kept else _wide(value) for key, value in (logs or {}).items()})

    return on_batch_end


def _of_epoch(tell: Callable[..., Any], all_wide: bool) -> Callable[..., Any]:
    @functools.wraps(tell)
    def on_epoch_end(self: Any, epoch: int, logs: Any = None) -> Any:
        if logs:
            logs = {key: _wide(value) if all_wide or key in _LOSSES else value for key, value in numbers(logs).items()}
        return tell(self, epoch, logs)

    return on_epoch_end


def _evaluating(evaluate: Callable[..., Any], all_wide: bool) -> Callable[..., Any]:
    @functools.wraps(evaluate)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        results = evaluate(self, *args, **kwargs)
        if isinstance(results, list):
            return [_wide(value) if all_wide or not place else value for place, value in enumerate(results)]
        return _wide(results)

    return changed


def _train_ten_epochs(model: Any) -> None:
    """Makes `fit` of a Sequential model train for 10 epochs if nothing is said."""
    sequential: Any = importlib.import_module("tf_keras.src.engine.sequential").Sequential
    fit = model.fit

    @functools.wraps(fit)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(self, sequential) and len(args) < 4:
            kwargs.setdefault("epochs", 10)
        return fit(self, *args, **kwargs)

    put(model, "fit", changed)
