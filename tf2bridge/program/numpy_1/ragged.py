"""Functions of NumPy with rows of different lengths as arguments. Up to NumPy 1.23 these become arrays of lists.

A function runs unchanged first. After the error of NumPy 1.24 it runs again with arrays of objects. A function that
writes to a file gets these arrays at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

ERROR = "inhomogeneous"
"""A word of the ValueError that NumPy raises for such rows."""

_OF_ONE = """all amax amin any append argmax argmin argsort array_split ascontiguousarray asanyarray atleast_1d
    atleast_2d atleast_3d broadcast_to compress copy count_nonzero cumsum delete diff empty_like expand_dims extract
    flip fliplr flipud full_like insert intersect1d lexsort max min moveaxis ndim nonzero ones_like
    prod ravel repeat require reshape roll rollaxis searchsorted setdiff1d shape size sort split squeeze std sum
    swapaxes take tile transpose union1d unique where zeros_like""".split()  # noqa: SIM905  # a list of words
_OF_SEVERAL = ("block", "column_stack", "concatenate", "dstack", "hstack", "row_stack", "stack", "vstack")
"""Functions whose first argument is a sequence of arrays."""
_AT_ONCE = ("array_equal", "save", "savez", "savez_compressed")
"""Functions that write to a file, or that answer the error themselves."""
_RANDOM = ("choice", "permutation")


def as_objects(value: Any) -> Any:
    """Returns an array of objects for a list or tuple of rows of different lengths, and another value as it is."""
    if not isinstance(value, list | tuple):
        return value
    try:
        np.asarray(value)
    except ValueError as error:
        return np.asarray(value, object) if ERROR in str(error) else value
    return value


def _each_as_objects(value: Any) -> Any:
    return [as_objects(part) for part in value] if isinstance(value, list | tuple) else value


def _again(function: Callable[..., Any], convert: Callable[[Any], Any] = as_objects) -> Callable[..., Any]:
    """Returns the function, which runs again with converted arguments after the error."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except ValueError as error:
            if ERROR not in str(error):
                raise
        return function(*map(convert, args), **{name: convert(value) for name, value in kwargs.items()})

    return called


def _at_once(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*map(as_objects, args), **{name: as_objects(value) for name, value in kwargs.items()})

    return called


def add(numpy: ModuleType) -> None:
    """Changes these functions in `numpy`, a module of our own, and gives it a `random` of its own."""
    names = vars(numpy)
    for name in _OF_ONE:
        if name in names and not isinstance(names[name], type):
            names[name] = _again(names[name])
    for name in _OF_SEVERAL:
        if name in names:
            names[name] = _again(names[name], _each_as_objects)
    for name in _AT_ONCE:
        names[name] = _at_once(names[name])
    random = ModuleType("numpy.random", np.random.__doc__)
    random.__dict__.update({name: value for name, value in vars(np.random).items() if name != "__builtins__"})
    random.__dict__.update({name: _again(getattr(np.random, name)) for name in _RANDOM})
    names["random"] = random
