"""The builtins of a program: calls of some have an older meaning, and the program can change all of them.

As a value, `sum` stays Python's function, so `type(sum)` is unchanged. Only the call `sum(x)` has the older meaning.
The program's files have a dictionary of builtins of their own. So `builtins.input = answer`, and
`mock.patch("builtins.input", answer)`, must change this dictionary too.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from tf2bridge.program import old_arithmetic, old_python

OLD_CALLS: dict[Any, Callable[..., Any]] = {sum: old_arithmetic.total, open: old_python.old_open}
"""Builtin function -> the function that a call of it runs."""
NAMES = frozenset(("sum", "open", "round"))
"""The names of builtin functions whose calls are replaced; `round` only in programs of Python 2."""


def chooser(old_calls: Mapping[Any, Callable[..., Any]]) -> Callable[[Any], Any]:
    """Returns a function that maps the value of a name to the function that a call of the name runs."""
    by_identity = {id(function): called for function, called in old_calls.items()}
    return lambda function: by_identity.get(id(function), function)


class Builtins(ModuleType):
    """The module `builtins` of the program. A change goes to Python's module and to the program's files."""

    def __init__(self, own: dict[str, Any]) -> None:
        super().__init__("builtins", builtins.__doc__)
        object.__setattr__(self, "_own", own)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # mock looks up the owner of a name in it
        return vars(builtins)

    def __getattr__(self, name: str) -> Any:
        return getattr(builtins, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(builtins, name, value)
        if name != "__import__":  # the program's __import__ calls Python's
            object.__getattribute__(self, "_own")[name] = value

    def __delattr__(self, name: str) -> None:
        delattr(builtins, name)
        object.__getattribute__(self, "_own").pop(name, None)

    def __dir__(self) -> list[str]:
        return dir(builtins)
