"""Functions and classes of TensorFlow 1.x cells and layers that decoders and attention use."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.behaviour.installed import core_cells, core_layers, supplier

v1 = tf.compat.v1

_cells = supplier("tf_keras.src.layers.rnn.legacy_cells")
_wrappers = supplier("tf_keras.src.layers.rnn.legacy_cell_wrappers")

RNNCell: Any = core_cells().RNNCell
Dense: Any = core_layers().Dense
Layer: Any = core_layers().Layer
KerasLayer: Any = supplier("tf_keras").layers.Layer

assert_like_rnncell = _wrappers.assert_like_rnncell
"""Raises TypeError unless the second argument, called by the first one, has what a cell has."""

zero_state = _cells._zero_state_tensors
"""Zeros [batch, *size] for each size of a nest: of (size, batch, dtype)."""


def early() -> bool:
    """Returns True if the program is for TensorFlow 1.4 or earlier: attention and decoders changed in 1.5."""
    return before(1, 5)


def length(tensor: Any, axis: int) -> Any:
    """Returns the size of `tensor` along `axis`: a number if it is known, else a scalar tensor."""
    return tf.compat.dimension_value(tensor.shape[axis]) or v1.shape(tensor)[axis]


def transpose_batch_time(x: Any) -> Any:
    """Returns `x` with its first two axes exchanged. A vector or scalar is returned unchanged."""
    static = x.get_shape()
    if static.rank is not None and static.rank < 2:
        return x
    turned = v1.transpose(x, v1.concat(([1, 0], v1.range(2, v1.rank(x))), axis=0))
    if static.rank is not None:
        turned.set_shape([static[1], static[0], *static[2:]])
    return turned
