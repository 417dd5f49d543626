"""Integers that do not fit their dtype: they wrap around in NumPy 1, and raise OverflowError since 2.0."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge.program.old_arithmetic import promoted
from tf2bridge.program.wrapping import wrapped


def integer(kind: Any, value: Any) -> Any:
    """`kind(value)`, such as `np.uint8(-2)`."""
    try:
        return kind(value)
    except OverflowError:
        if not (isinstance(kind, type) and issubclass(kind, np.integer)):
            raise
        return wrapped(value, kind)[()]


def fill(holder: Any, value: Any) -> Any:
    """`holder.fill(value)`."""
    try:
        return holder.fill(value)
    except OverflowError:
        if not isinstance(holder, np.ndarray):
            raise
        return holder.fill(wrapped(value, holder.dtype)[()])


def full(shape: Any, fill_value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`np.full`."""
    try:
        return np.full(shape, fill_value, dtype, *args, **kwargs)
    except OverflowError:
        return np.full(shape, wrapped(fill_value, dtype), dtype, *args, **kwargs)


def full_like(a: Any, fill_value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`np.full_like`."""
    try:
        return np.full_like(a, fill_value, dtype, *args, **kwargs)
    except OverflowError:
        kept = np.asarray(a).dtype if dtype is None else dtype
        return np.full_like(a, wrapped(fill_value, kept), dtype, *args, **kwargs)


def arange(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """`np.arange`."""
    if len(args) == 4:
        *args, dtype = args  # type: ignore[assignment]  # a list serves as well
    try:
        return np.arange(*args, dtype=dtype, **kwargs)
    except OverflowError:
        return wrapped(np.arange(*args, **kwargs), dtype)


def where(condition: Any, *choices: Any) -> Any:
    """`np.where`. A number among the choices gets the dtype for the result of NumPy 1; NumPy 2 wraps it silently."""
    if len(choices) == 2 and not (isinstance(choices[0], np.ndarray) and isinstance(choices[1], np.ndarray)):
        choices = promoted(*choices)
    return np.where(condition, *choices)


def _putting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function `(array, places, values)` that changes its first argument."""

    @functools.wraps(function)
    def put(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except OverflowError:
            array, places, values, *others = args
            return function(array, places, wrapped(values, array.dtype), *others, **kwargs)

    return put


NAMES: dict[str, Callable[..., Any]] = {
    "arange": arange,
    "full": full,
    "full_like": full_like,
    "where": where,
    **{name: _putting(getattr(np, name)) for name in ("place", "put", "putmask")},
}
"""Functions of NumPy that take such integers, by name."""
TYPES = frozenset("int8 int16 int32 uint8 uint16 uint32 uint64 byte short intc ubyte ushort uintc uint".split())  # noqa: SIM905  # a list of words
"""Names of the integer types that wrap around; numbers too large for int64 were an error in NumPy 1 as well."""
