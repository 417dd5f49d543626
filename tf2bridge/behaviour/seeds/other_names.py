"""Functions of TensorFlow that stay what they are, and find something else by a name of their module.

For what differs in one step of a long function: the step is changed, and nothing of the function is written again.
"""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from tf2bridge.patching import Function


def with_names(function: Any, **names: Any) -> Function:
    """The function, which finds these names in place of its module's."""
    return types.FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__
    )


def with_members(original: Function, module: str, **members: Any) -> Function:
    """The function, for which a module that it calls by this name has other members; dressed as the original.

    What is wrapped around the original, as words of errors are, is left out.
    """
    function: Any = inspect.unwrap(original)
    in_place = types.SimpleNamespace(**{**vars(function.__globals__[module]), **members})
    return functools.wraps(original)(with_names(function, **{module: in_place}))
