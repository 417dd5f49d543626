"""The input of crossentropies: the logits below an activation, or its probabilities.

- 1.14 and 1.15 use the logits if the activation belongs to the loss: softmax for categorical losses, sigmoid for binary
  losses. tf_keras uses the logits below any activation, such as a sigmoid with a categorical loss.
- Earlier releases use the probabilities. For binary losses they compute logits from them.

Source: python/keras/backend.py of 1.4.1 to 1.15.5.
"""

from __future__ import annotations

import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put, rebind


def install(release: Release) -> None:
    """Changes the backend of tf_keras in this process. A call for another release replaces the changes of the first."""
    backend: Any = importlib.import_module("tf_keras.src.backend")
    old = release.before(1, 14)
    put(backend, "_get_logits", _as_given if old else _below_own_activation)
    if old:
        rebind({id(backend.binary_crossentropy): (backend.binary_crossentropy, _binary_crossentropy)})


def _as_given(output: Any, from_logits: bool, op_type: str, fn_name: str) -> tuple[Any, bool]:
    del op_type, fn_name
    return output, from_logits


def _below_own_activation(output: Any, from_logits: bool, op_type: str, fn_name: str) -> tuple[Any, bool]:
    """Returns (the input of the loss, whether it is logits)."""
    del fn_name
    eager = isinstance(output, tf.Variable) or hasattr(output, "numpy")
    if from_logits or eager or output.op.type != op_type:
        return output, from_logits
    return output.op.inputs[0], True


def _binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """Returns the binary crossentropy of each element, in the shape of `output`."""
    output = tf.convert_to_tensor(output)
    if not from_logits:
        epsilon = importlib.import_module("tf_keras.src.backend").epsilon()
        output = tf.clip_by_value(output, tf.cast(epsilon, output.dtype), 1 - tf.cast(epsilon, output.dtype))
        output = tf.math.log(output / (1 - output))
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)
