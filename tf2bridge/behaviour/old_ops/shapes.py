"""Comparisons of shapes, and the truth value of a size, as in 1.x.

In 1.x two shapes with an unknown size are unequal unless they share their dimensions, `!=` refuses shapes of unknown
rank, and every size is true, even 0 and None (python/framework/tensor_shape.py of 0.12 to 1.15 and of 2.21). With
today's answers, a program that adds a layer if `x.get_shape() != y.get_shape()` would build another graph.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put

_OF_TODAY = ("tensorflow", "tf_keras", "keras", "tf2bridge", "tensorflow_probability", "tensorboard")
"""Packages whose own code relies on the answers of TensorFlow 2."""


def install() -> None:
    """Gives programs the answers of 1.x in this process. TensorFlow's own code keeps those of 2.x."""
    module: Any = internals.framework.tensor_shape
    shape, size = module.TensorShape, module.Dimension
    convert, kept_hash = module.as_shape, shape.__hash__

    def equal(self: Any, other: Any) -> Any:
        other = _converted(convert, other)
        return NotImplemented if other is None else _are_equal(self, other)

    def unequal(self: Any, other: Any) -> Any:
        other = _converted(convert, other)
        if other is None:
            return NotImplemented
        if self.rank is None or other.rank is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not _are_equal(self, other)

    _replace(shape, "__eq__", equal)
    _replace(shape, "__ne__", unequal)
    _replace(size, "__bool__", lambda _: True)
    put(shape, "__hash__", kept_hash)
    _refuse_text(shape)


def _converted(convert: Callable[[Any], Any], other: Any) -> Any:
    """Returns `other` as a shape, or None if it is not a shape."""
    try:
        return convert(other)
    except TypeError:
        return None


def _are_equal(first: Any, second: Any) -> bool:
    """Returns whether two shapes are equal in 1.x."""
    if first.rank is None or second.rank is None or first._dims is second._dims:
        return bool(first.rank == second.rank)
    return bool(first.is_fully_defined() and first.as_list() == second.as_list())


def _replace(owner: type, method: str, answer: Callable[..., Any]) -> None:
    """Makes a method answer as in 1.x, except to callers in TensorFlow 2."""
    today: Callable[..., Any] = getattr(owner, method)

    @functools.wraps(today)
    def chosen(*arguments: Any) -> Any:
        return (answer if is_of_program(sys._getframe(1)) else today)(*arguments)

    put(owner, method, chosen)


def is_of_program(frame: FrameType) -> bool:
    """Returns whether this frame runs code of a program, not of TensorFlow 2 or of this package."""
    return str(frame.f_globals.get("__name__")).partition(".")[0] not in _OF_TODAY


def _refuse_text(shape: Any) -> None:
    """Makes shapes refuse a text, as in 1.x: its letters are not sizes."""
    original = shape.__init__

    @functools.wraps(original)
    def made(self: Any, dims: Any) -> None:
        if isinstance(dims, str | bytes):
            raise TypeError(f"A string has ambiguous TensorShape, put it into a list or convert it to an int: {dims!r}")
        original(self, dims)

    put(shape, "__init__", made)
