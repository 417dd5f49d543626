"""Shapes compare as in 1.x: two sizes that are unknown are not equal, unless both shapes are of the same origin.

`tf.TensorShape([None, 3]) == tf.TensorShape([None, 3])` is False in 1.15, since `None == None` is unknown for sizes,
and the `!=` of shapes of unknown rank is an error (python/framework/tensor_shape.py of 1.15.5). The code of TensorFlow
and Keras itself is written for the rule of TensorFlow 2 and keeps it.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

_LIBRARIES = frozenset({"tensorflow", "tensorflow_probability", "tf_keras", "keras", "tf2bridge"})


def install() -> None:
    """Changes how programs compare shapes, in this process; twice is harmless."""
    shape: Any = importlib.import_module("tensorflow.python.framework.tensor_shape").TensorShape
    original = shape.__eq__
    if hasattr(original, "as_1_x"):
        return

    def equal(self: Any, other: Any) -> Any:
        if isinstance(other, str | bytes):
            return NotImplemented
        result = original(self, other)
        return False if result is True and _is_unsure(self, other) and _is_program(sys._getframe(1)) else result

    def different(self: Any, other: Any) -> Any:
        if isinstance(other, str | bytes):
            return NotImplemented
        result = original(self, other)
        if result is NotImplemented or not _is_program(sys._getframe(1)):
            return result if result is NotImplemented else not result
        if self.rank is None or shape(other).rank is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not result or _is_unsure(self, other)

    equal.as_1_x = True  # type: ignore[attr-defined]  # a mark for the next call of install
    shape.__eq__, shape.__ne__ = equal, different


def _is_unsure(shape: Any, other: Any) -> bool:
    """True if a size is unknown, and the two shapes are not copies of one."""
    sizes = shape._dims
    return sizes is not None and None in sizes and getattr(other, "_dims", None) is not sizes


def _is_program(caller: Any) -> bool:
    """True if neither TensorFlow nor Keras nor this package compares."""
    return str(caller.f_globals.get("__name__")).partition(".")[0] not in _LIBRARIES
