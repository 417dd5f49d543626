"""Callbacks of Keras as in 1.x: they decide how long to train, which weights remain, and the names of files.

The differences, from the sources of 1.4 to 1.15:

- EarlyStopping: tf_keras restores the best weights at the end of every training, and counts epochs that beat the last
  epoch but not the baseline. 1.x restores them only if it stops. Up to 1.4 it waits one more epoch.
- ModelCheckpoint: since 1.14 an integer `save_freq` counts samples, and subclassed models are saved as weights alone.
  Up to 1.4 epochs in file names count from 0.
- ReduceLROnPlateau computes the rate in double precision. Up to 1.8 it waits one more epoch. Up to 1.9
  LearningRateScheduler passes only the epoch to its function. Since 1.13 histories have its rate.
- CSVLogger has no columns for a validation that did not run. A History starts again with each training.
- TensorBoard of `tf.keras` is that of 1.x in eager programs too. That of TensorFlow 2 is in summaries.py.
- The printed texts, such as `Epoch 00001:`, are those that programs search for.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.old_keras import summaries
from tf2bridge.behaviour.release import Release, parse
from tf2bridge.patching import put

_release = parse("1.15")


def install(release: Release) -> None:
    """Changes the callbacks in this process, for the release."""
    global _release
    _release = release
    callbacks: Any = importlib.import_module("tf_keras.src.callbacks")
    put(callbacks.EarlyStopping, "on_train_begin", begin_to_watch)
    put(callbacks.EarlyStopping, "on_epoch_end", early_stop)
    put(callbacks.EarlyStopping, "on_train_end", tell_of_stop)
    put(callbacks.ModelCheckpoint, "set_model", set_model)
    put(callbacks.ModelCheckpoint, "on_train_batch_end", save_after_samples)
    put(callbacks.ModelCheckpoint, "_save_model", save)
    put(callbacks.ReduceLROnPlateau, "on_epoch_end", reduce_rate)
    put(callbacks.LearningRateScheduler, "on_epoch_begin", schedule_rate)
    put(callbacks.LearningRateScheduler, "on_epoch_end", tell_of_rate)
    put(callbacks.CSVLogger, "on_epoch_end", _with_its_columns(callbacks.CSVLogger.on_epoch_end))
    put(callbacks.History, "on_train_begin", begin_history)
    versions: Any = importlib.import_module("tf_keras.src.utils.version_utils").TensorBoardVersionSelector
    first: Any = importlib.import_module("tf_keras.src.callbacks_v1").TensorBoard
    put(versions, "__new__", _of_its_version(versions.__new__, first))
    put(first, "set_model", _without_histograms(first.set_model))
    put(first, "_implements_train_batch_hooks", _is_asked)
    summaries.install(callbacks.TensorBoard)


def begin_to_watch(self: Any, logs: Any = None) -> None:
    """`EarlyStopping.on_train_begin`: a baseline counts as the best value so far."""
    del logs
    self.wait = self.stopped_epoch = 0
    worst = np.inf if self.monitor_op == np.less else -np.inf
    self.best = worst if self.baseline is None else self.baseline


def early_stop(self: Any, epoch: int, logs: Any = None) -> None:
    """`EarlyStopping.on_epoch_end`."""
    current = self.get_monitor_value(logs)
    if current is None:
        return
    if self.monitor_op(current - self.min_delta, self.best):
        self.best, self.wait = current, 0
        if self.restore_best_weights:
            self.best_weights = self.model.get_weights()
        return
    waited = self.wait
    self.wait += 1
    if (waited if _release.before(1, 5) else self.wait) >= self.patience:
        self.stopped_epoch = epoch
        self.model.stop_training = True
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose > 0:
                print("Restoring model weights from the end of the best epoch.")
            self.model.set_weights(self.best_weights)


def tell_of_stop(self: Any, logs: Any = None) -> None:
    """`EarlyStopping.on_train_end`."""
    del logs
    if self.stopped_epoch > 0 and self.verbose > 0:
        print(f"Epoch {self.stopped_epoch + _first_epoch():05d}: early stopping")


def set_model(self: Any, model: Any) -> None:
    """`ModelCheckpoint.set_model`."""
    self.model = model
    self._supports_tf_logs = False  # so that it is told the size of a batch
    of_layers = model._is_graph_network or type(model).__name__ == "Sequential"
    if not of_layers and not _release.before(1, 14):
        self.save_weights_only = True


def save_after_samples(self: Any, batch: int, logs: Any = None) -> None:
    """`ModelCheckpoint.on_batch_end`."""
    del batch
    if isinstance(self.save_freq, int):
        self._batches_seen_since_last_saving += (logs or {}).get("size", 1)  # samples, in spite of its name
        if self._batches_seen_since_last_saving >= self.save_freq:
            self._save_model(self._current_epoch, None, logs)
            self._batches_seen_since_last_saving = 0


def save(self: Any, epoch: int, batch: Any, logs: Any) -> None:
    """`ModelCheckpoint._save_model`."""
    del batch  # a part of file names in TensorFlow 2
    logs = _plain(logs)
    if not isinstance(self.save_freq, int) and self.epochs_since_last_save < self.period:
        return
    self.epochs_since_last_save = 0
    number = epoch + _first_epoch()
    path = self._get_file_path(number - 1, None, logs)
    current = logs.get(self.monitor)
    if self.save_best_only and current is None:
        tf.compat.v1.logging.warning("Can save best model only with %s available, skipping.", self.monitor)
    elif self.save_best_only and not self.monitor_op(current, self.best):
        than = "" if _release.before(1, 9) else f" from {self.best:0.5f}"
        _say(self, number, f"{self.monitor} did not improve{than}")
    else:
        better = f"{self.monitor} improved from {self.best:0.5f} to {current:0.5f}, " if self.save_best_only else ""
        _say(self, number, f"{better}saving model to {path}")
        self.best = current if self.save_best_only else self.best
        self._save_handler(path)
    self._maybe_remove_file()


def reduce_rate(self: Any, epoch: int, logs: Any = None) -> None:
    """`ReduceLROnPlateau.on_epoch_end`."""
    backend: Any = importlib.import_module("tf_keras.src.backend")
    logs = {} if logs is None else logs
    logs["lr"] = backend.get_value(self.model.optimizer.lr)
    current = logs.get(self.monitor)
    if current is None:
        text = "Reduce LR on plateau conditioned on metric `%s` which is not available. Available metrics are: %s"
        tf.compat.v1.logging.warning(text, self.monitor, ",".join(logs))
        return
    if self.in_cooldown():
        self.cooldown_counter -= 1
        self.wait = 0
    if self.monitor_op(current, self.best):
        self.best, self.wait = current, 0
    elif not self.in_cooldown():
        waited, late = self.wait, _release.before(1, 9)
        self.wait += 1
        old = float(logs["lr"])
        if (waited if late else self.wait) >= self.patience and old > self.min_lr * _least():
            new = max(old * self.factor, self.min_lr)
            backend.set_value(self.model.optimizer.lr, new)
            if self.verbose > 0:
                named = not _release.before(1, 6)
                number = epoch + 1 if named else epoch
                print(f"\nEpoch {number:05d}: {'ReduceLROnPlateau ' * named}reducing learning rate to {new}.")
            self.cooldown_counter = self.cooldown
            self.wait = 1 if late else 0


def schedule_rate(self: Any, epoch: int, logs: Any = None) -> None:
    """`LearningRateScheduler.on_epoch_begin`. Raises ValueError for a rate that is no float."""
    del logs
    backend: Any = importlib.import_module("tf_keras.src.backend")
    if not hasattr(self.model.optimizer, "lr"):
        raise ValueError('Optimizer must have a "lr" attribute.')
    if _release.before(1, 10):
        rate = self.schedule(epoch)
    else:
        try:
            rate = self.schedule(epoch, float(backend.get_value(self.model.optimizer.lr)))
        except TypeError:  # also one of the function itself, as in 1.x
            rate = self.schedule(epoch)
    if not isinstance(rate, (float, np.float32, np.float64)):
        raise ValueError('The output of the "schedule" function should be float.')
    backend.set_value(self.model.optimizer.lr, rate)
    if self.verbose > 0:
        print(f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}.")


def tell_of_rate(self: Any, epoch: int, logs: Any = None) -> None:
    """`LearningRateScheduler.on_epoch_end`: since 1.13 it adds the rate to the logs, so that histories have it."""
    del epoch
    if logs is not None and not _release.before(1, 13):
        backend: Any = importlib.import_module("tf_keras.src.backend")
        logs["lr"] = backend.get_value(self.model.optimizer.lr)


def begin_history(self: Any, logs: Any = None) -> None:
    """`History.on_train_begin`."""
    del logs
    self.epoch, self.history = [], {}


def _with_its_columns(written: Any) -> Any:
    """`CSVLogger.on_epoch_end`: the columns are those of the first logs. tf_keras adds columns for a validation."""

    @functools.wraps(written)
    def changed(self: Any, epoch: int, logs: Any = None) -> None:
        if self.keys is None:
            self.keys = sorted(logs or {})
        written(self, epoch, logs)

    return changed


def _first_epoch() -> int:
    """Returns the number that names and messages give the first epoch."""
    return 0 if _release.before(1, 5) else 1


def _least() -> float:
    """Returns the factor of `min_lr` below which a rate is not reduced any more."""
    return 1.0001 if _release.before(1, 6) else 1.0


def _say(callback: Any, number: int, text: str) -> None:
    """Prints a line of a verbose ModelCheckpoint. Since 1.6 an empty line stands before it."""
    if callback.verbose > 0:
        line_before = "" if _release.before(1, 6) else "\n"
        print(f"{line_before}Epoch {number:05d}: {text}")


def _plain(logs: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the values of metrics as numbers: in eager programs they are tensors."""
    return {name: value.numpy() if hasattr(value, "numpy") else value for name, value in (logs or {}).items()}


def _of_its_version(chosen: Any, first: Any) -> Any:
    """`TensorBoard.__new__`, which makes the class of 1.x in eager programs, too."""

    @functools.wraps(chosen)
    def changed(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return object.__new__(cls) if issubclass(cls, first) else chosen(cls, *args, **kwargs)

    return changed


def _is_asked(self: Any) -> bool:
    """`_implements_train_batch_hooks`, which in tf_keras reads attributes that the TensorBoard of 1.x does not have."""
    del self
    return True


def _without_histograms(set_up: Any) -> Any:
    """`set_model` of the TensorBoard of 1.x, without histograms in eager programs: they need a graph for evaluation."""

    @functools.wraps(set_up)
    def changed(self: Any, model: Any) -> None:
        set_up(self, model)
        if tf.executing_eagerly():
            self.histogram_freq = 0

    return changed
