"""Layers of Keras compute as in 1.15.

- Batch normalization ignores a mask. Since TensorFlow 2.12 it leaves masked steps out of mean and variance (release
  notes of 2.12, tf.keras), so the numbers change if an Embedding with `mask_zero` is in front of it.
- GRUCell and LSTMCell with `implementation=2` use one dropout mask of the state for all gates (`recurrent_dropout`);
  tf_keras 2.21 takes `implementation=1` then, which has a mask for each gate.
- `could_use_cudnn` of the GRU and LSTM of `recurrent_v2` has another name since 2.4.
- Up to 1.5 pooling in one dimension with `channels_first` pools the channels: 1.5.0 does, 1.6.0 pools the steps
  (python/layers/pooling.py of both).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import in_force
from tf2bridge.patching import put

_KERNEL = "_could_use_gpu_kernel"
_COULD_USE_CUDNN = property(
    lambda self: getattr(self, _KERNEL),
    lambda self, value: setattr(self, _KERNEL, value),
    doc="Whether the arguments are those that the kernel for GPUs computes.",
)


def install() -> None:
    """Changes the layers in this process."""
    norm: Any = importlib.import_module("tf_keras.src.layers.normalization.batch_normalization").BatchNormalizationBase
    of_gru: Any = importlib.import_module("tf_keras.src.layers.rnn.gru")
    of_lstm: Any = importlib.import_module("tf_keras.src.layers.rnn.lstm")
    pooling: Any = importlib.import_module("tf_keras.src.layers.pooling.base_pooling1d").Pooling1D
    put(pooling, "call", _pooling_the_second_axis(pooling.call))
    for layer in (of_gru.GRU, of_lstm.LSTM):
        put(layer, "could_use_cudnn", _COULD_USE_CUDNN)
    put(norm, "call", _without_mask(norm.call))
    for cell, gates in ((of_gru.GRUCell, 3), (of_lstm.LSTMCell, 4)):
        put(cell, "__init__", _implemented(cell.__init__))
        put(cell, "call", _dropping_out(cell.call, gates))


def _without_mask(call: Any) -> Any:
    @functools.wraps(call)
    def changed(self: Any, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        del mask
        return call(self, inputs, training=training)

    return changed


def _pooling_the_second_axis(call: Any) -> Any:
    @functools.wraps(call)
    def changed(self: Any, inputs: Any) -> Any:
        order = self.data_format
        if in_force.before(1, 6):
            self.data_format = "channels_last"
        try:
            return call(self, inputs)
        finally:
            self.data_format = order

    return changed


def _implemented(made: Any) -> Any:
    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        self.implementation = kwargs.get("implementation", self.implementation)

    return changed


def _dropping_out(call: Any, gates: int) -> Any:
    @functools.wraps(call)
    def changed(self: Any, inputs: Any, states: Any, training: Any = None) -> Any:
        if self.implementation != 1 and 0.0 < self.recurrent_dropout < 1.0:
            first, *others = states if tf.nest.is_nested(states) else [states]
            self.get_dropout_mask_for_cell(inputs, training, count=gates)  # its random numbers come first
            masks = self.get_recurrent_dropout_mask_for_cell(first, training, count=gates)
            states = [first * masks[0], *others]
        return call(self, inputs, states, training=training)

    return changed
