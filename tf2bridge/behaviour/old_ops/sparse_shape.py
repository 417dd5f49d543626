"""The `shape` of a sparse tensor and of its value in 0.12, which 1.0 calls `dense_shape`.

Today's `shape` of the tensor is the static one, `get_shape()` of 0.12 (release notes of 1.0). TensorFlow's own code
keeps the static shape. A value, which a session returns, has no `shape` today.
"""

from __future__ import annotations

import sys
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.shapes import is_of_program
from tf2bridge.patching import put

_Value: Any = tf.compat.v1.SparseTensorValue


def install() -> None:
    """Makes `shape` the tensor `dense_shape` for programs, in this process."""
    original = tf.SparseTensor.shape

    def shape(self: Any) -> Any:
        return self.dense_shape if is_of_program(sys._getframe(1)) else original.fget(self)

    put(tf.SparseTensor, "shape", property(shape, doc=original.__doc__))
    put(_Value, "shape", property(lambda self: self.dense_shape, doc="The dense shape, int64 [rank]."))
