"""`arg_scope`: defaults for the keyword arguments of functions, for the length of a with block."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Defaults = dict[str, dict[str, Any]]

_stack: list[Defaults] = [{}]
_keywords: dict[str, tuple[str, ...]] = {}


def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `func`, made to take its defaults from the `arg_scope` in force."""
    key = arg_scope_func_key(func)

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **{**_stack[-1].get(key, {}), **kwargs})

    call._key_op = key  # type: ignore[attr-defined]  # contrib's own attribute, read by programs
    parameters = inspect.signature(func).parameters.values()
    _keywords[key] = tuple(parameter.name for parameter in parameters if parameter.default is not parameter.empty)
    return call


@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Sequence[Callable[..., Any]] | Defaults, **kwargs: Any) -> Iterator[Defaults]:
    """Sets default arguments for a block, and yields all defaults in force.

    New defaults are added to those of outer scopes. A scope that was yielded before replaces them.

    Raises:
        TypeError: the argument is not a list, tuple or scope.
        ValueError: a function was not decorated by `add_arg_scope`.
    """
    _stack.append(_scope(list_ops_or_scope, kwargs))
    try:
        yield _stack[-1]
    finally:
        _stack.pop()


def current_arg_scope() -> Defaults:
    """Returns the defaults in force."""
    return _stack[-1]


def arg_scope_func_key(op: Callable[..., Any]) -> str:
    """Returns the key under which a scope keeps the defaults of the function `op`."""
    return str(getattr(op, "_key_op", op))


def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Returns True if `func` was made by `add_arg_scope`."""
    return arg_scope_func_key(func) in _keywords


def arg_scoped_arguments(func: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of the arguments of `func` that a scope may set. Raises ValueError without `add_arg_scope`."""
    _check(func)
    return _keywords[arg_scope_func_key(func)]


def _scope(given: Sequence[Callable[..., Any]] | Defaults, kwargs: dict[str, Any]) -> Defaults:
    if isinstance(given, dict):
        if kwargs:
            raise ValueError("arg_scope: a scope that is entered again takes no keyword arguments")
        return dict(given)
    if not isinstance(given, list | tuple):
        raise TypeError(f"arg_scope takes a list of functions or a scope, not {type(given).__name__}")
    scope = dict(_stack[-1])
    for func in given:
        _check(func)
        scope[arg_scope_func_key(func)] = {**scope.get(arg_scope_func_key(func), {}), **kwargs}
    return scope


def _check(func: Callable[..., Any]) -> None:
    if not has_arg_scope(func):
        raise ValueError(
            f"{func.__module__}.{func.__qualname__} cannot be in an arg_scope: decorate it with add_arg_scope"
        )
