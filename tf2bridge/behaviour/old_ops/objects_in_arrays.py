"""Tensors and resource variables of graphs as objects in NumPy's arrays: `np.array([x, y])`, `np.sum([x, y])`.

In 1.x NumPy made arrays of objects of them, so that `np.sum(losses)` is a tensor (measured with 1.4.1, 1.12.3 and
1.15.5). `__array__` of 2.21 raises an error for tensors of graphs, and NumPy 2 passes the error on. `__array__` of
resource variables reads the value, which a graph does not have.

TensorFlow 2 itself tries NumPy first, and relies on the error: `tf.zeros([x, 2])`. For tensors it gets the error as
before, and so does Keras.

1.15 refused an array of one tensor alone, `np.array(x)`; releases before made an array of an object, as here.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.patching import put

_LIBRARIES = ("tensorflow", "tf_keras", "keras")
_TESTS = "tensorflow.python.framework.test_util"


def install() -> None:
    """Lets NumPy hold tensors and variables of graphs, in this process."""
    tensor: Any = importlib.import_module("tensorflow").Tensor
    variable: Any = internals.ops.resource_variable_ops.BaseResourceVariable
    put(tensor, "__array__", _object_in_graphs(tensor.__array__, _is_for_a_library))
    put(variable, "__array__", _object_in_graphs(variable.__array__, _never))


def _object_in_graphs(original: Any, is_refused: Callable[[FrameType], bool]) -> Any:
    @functools.wraps(original)
    def array(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if importlib.import_module("tensorflow").executing_eagerly() or is_refused(sys._getframe(1)):
            return original(self, *arguments, **keywords)
        array_of_one = np.empty(1, object)
        array_of_one[0] = self
        return array_of_one.reshape(())

    return array


def _never(caller: FrameType) -> bool:
    del caller
    return False


def _is_for_a_library(caller: FrameType) -> bool:
    """Returns whether TensorFlow or Keras called NumPy; its checks in tests act for the program."""
    frame: FrameType | None = caller
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "numpy":
        frame = frame.f_back
    name = frame.f_globals.get("__name__", "") if frame is not None else ""
    return name.partition(".")[0] in _LIBRARIES and name != _TESTS
