"""Sets a context variable while one function runs, for the functions that it calls."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any


def during(original: Callable[..., Any], variable: ContextVar[Any], value: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function with a variable set while it runs; `value` computes it from the arguments."""

    @functools.wraps(original)
    def changed(*args: Any, **kwargs: Any) -> Any:
        token = variable.set(value(*args, **kwargs))
        try:
            return original(*args, **kwargs)
        finally:
            variable.reset(token)

    return changed
