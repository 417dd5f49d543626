"""`experimental`: a decorator that says so whenever the function is called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.messages import logging
from tf2bridge.internals.support import decorator_utils


def experimental(func: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `func`, made to log a warning at each call. Raises ValueError unless it can be called."""
    if not callable(func):
        raise ValueError(f"experimental decorates a function, not {type(func).__name__}")

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        logging.warning(
            "%s (from %s) is experimental and may change or be removed at any time, and without warning.",
            func.__qualname__,
            func.__module__,
        )
        return func(*args, **kwargs)

    call.__doc__ = decorator_utils.add_notice_to_docstring(
        func.__doc__,
        "",
        "EXPERIMENTAL FUNCTION",
        "(experimental)",
        ["THIS FUNCTION IS EXPERIMENTAL. It may change or be removed at any time, and without warning."],
        notice_type="Warning",
    )
    return call
