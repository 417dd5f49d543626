"""The TensorBoard callback of TensorFlow 2 as 1.14 and 1.15 had it, in `tensorflow.python.keras.callbacks`.

It writes values of the old kinds (`simple_value`, `histo`, `image`), which programs read from event files; that of
tf_keras writes tensors. Histograms and images have only the names of the variables, and there is no
`evaluation_..._vs_iterations` (tensorflow/python/keras/callbacks.py of 1.15.5).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge import internals
from tf2bridge.patching import put

_CHANNELS = (1, 3, 4)
"""What the last dimension of an image may be."""


def install(board: Any) -> None:
    """Changes this class for the whole process."""
    put(board, "_log_epoch_metrics", log_epoch)
    put(board, "_log_weights", log_weights)
    put(board, "on_test_end", end_evaluation)
    put(board, "on_train_batch_end", _with_old_values(board.on_train_batch_end))
    put(board, "_implements_train_batch_hooks", _with_batches(board._implements_train_batch_hooks))


def _old() -> Any:
    """Returns the functions that write values of the old kinds."""
    return internals.ops.summary_ops_v2


def log_epoch(self: Any, epoch: int, logs: Any) -> None:
    """`TensorBoard._log_epoch_metrics`: the metrics of an epoch, in the log of training or of validation."""
    with tf.summary.record_if(True):
        for name, value in (logs or {}).items():
            writer = self._val_writer if name.startswith("val_") else self._train_writer
            with writer.as_default():
                _old().scalar("epoch_" + name.removeprefix("val_"), value, step=epoch)


def log_weights(self: Any, epoch: int) -> None:
    """`TensorBoard._log_weights`: a histogram of each variable and, if `write_images` is set, an image."""
    with self._train_writer.as_default(), tf.summary.record_if(True):
        for weight in (weight for layer in self.model.layers for weight in layer.weights):
            name, value = weight.name.replace(":", "_"), weight.numpy()
            _old().histogram(name, value, step=epoch)
            image = as_image(value)
            if self.write_images and image.ndim == 4 and image.shape[-1] in _CHANNELS:
                _old().image(name, image, step=epoch)
    self._train_writer.flush()


def as_image(value: Any) -> Any:
    """Returns a weight of up to three dimensions as images [images, height, width, channels]; others unchanged."""
    image = np.squeeze(value)
    if image.ndim == 1:
        return image.reshape(1, -1, 1, 1)
    if image.ndim == 2:
        wide = image.T if image.shape[0] > image.shape[1] else image
        return wide[None, :, :, None]
    if image.ndim == 3:
        first = importlib.import_module("tf_keras.src.backend").image_data_format() == "channels_first"
        return (image if first else image.transpose(2, 0, 1))[..., None]
    return image


def end_evaluation(self: Any, logs: Any = None) -> None:
    """`TensorBoard.on_test_end`, which wrote nothing."""
    del logs
    self._pop_writer()


def _with_old_values(end_batch: Any) -> Any:
    """`TensorBoard.on_train_batch_end`: the metrics of a batch; the rest is done by the method as it was."""

    @functools.wraps(end_batch)
    def changed(self: Any, batch: int, logs: Any = None) -> None:
        end_batch(self, batch, None)
        if self.update_freq != "epoch" and batch % self.update_freq == 0:
            with self._train_writer.as_default(), tf.summary.record_if(True):
                for name, value in (logs or {}).items():
                    _old().scalar("batch_" + name, value, step=self._global_train_batch - 1)

    return changed


def _with_batches(has_hooks: Any) -> Any:
    """`TensorBoard._implements_train_batch_hooks`: asks for each batch if it has something to write of it."""
    return lambda self: has_hooks(self) or self.update_freq != "epoch"
