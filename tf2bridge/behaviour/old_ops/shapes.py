"""Comparisons of shapes, and the truth of a size, as programs of 1.x got them.

In 1.x two shapes with an unknown size were unequal unless one was made of the other, `!=` refused shapes of unknown
rank, and every size was true, 0 and None too (python/framework/tensor_shape.py of 0.12 to 1.15 and of 2.21). A program
that adds a layer where `x.get_shape() != y.get_shape()` built another graph with today's answers.
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
"""Packages whose own code counts on TensorFlow 2's answers."""


def install() -> None:
    """Gives programs the answers of 1.x, in this process; TensorFlow's own code keeps today's."""
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
    """`other` as a shape; None if it is no shape."""
    try:
        return convert(other)
    except TypeError:
        return None


def _are_equal(first: Any, second: Any) -> bool:
    """Whether 1.x called two shapes equal."""
    if first.rank is None or second.rank is None or first._dims is second._dims:
        return bool(first.rank == second.rank)
    return bool(first.is_fully_defined() and first.as_list() == second.as_list())


def _replace(owner: type, method: str, answer: Callable[..., Any]) -> None:
    """Makes a method answer as 1.x did to callers that are not of TensorFlow 2."""
    today: Callable[..., Any] = getattr(owner, method)

    @functools.wraps(today)
    def chosen(*arguments: Any) -> Any:
        return (answer if is_of_program(sys._getframe(1)) else today)(*arguments)

    put(owner, method, chosen)


def is_of_program(frame: FrameType) -> bool:
    """Whether code of a program runs in this frame, not code of TensorFlow 2 or of this package."""
    return str(frame.f_globals.get("__name__")).partition(".")[0] not in _OF_TODAY


def _refuse_text(shape: Any) -> None:
    """Lets a shape be made of no text, as in 1.x: its letters are no sizes."""
    original = shape.__init__

    @functools.wraps(original)
    def made(self: Any, dims: Any) -> None:
        if isinstance(dims, str | bytes):
            raise TypeError(f"A string has ambiguous TensorShape, put it into a list or convert it to an int: {dims!r}")
        original(self, dims)

    put(shape, "__init__", made)
