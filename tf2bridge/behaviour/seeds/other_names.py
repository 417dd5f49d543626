"""Copies of TensorFlow's functions that see other objects under global names.

They serve long functions that differ in one step between releases. The step is replaced, and the code of the function
is not repeated.
"""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from tf2bridge.patching import Function


def with_names(function: Any, **names: Any) -> Function:
    """Returns a copy of the function that sees these objects under global names."""
    return types.FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__
    )


def with_members(original: Function, module: str, **members: Any) -> Function:
    """Returns a copy of the function for which a module has other members.

    The copy has the name and the documentation of the original. Decorators of the original are left out, such as those
    that change texts of errors.

    Args:
        original: The function.
        module: The global name of the module in the function's code.
        members: The replaced members.
    """
    function: Any = inspect.unwrap(original)
    in_place = types.SimpleNamespace(**{**vars(function.__globals__[module]), **members})
    return functools.wraps(original)(with_names(function, **{module: in_place}))
