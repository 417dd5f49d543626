"""The builtins of a program: calls of some have an older meaning, and the program can change all of them.

`sum` stays Python's function as a value, so `type(sum)` is what it was; only the call `sum(x)` asks for its older
meaning. The program's files have a dictionary of builtins of their own. So `builtins.input = answer`, and
`mock.patch("builtins.input", answer)`, must change this dictionary too.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from tf2bridge.program import old_arithmetic, old_python

OLD_CALLS: dict[Any, Callable[..., Any]] = {sum: old_arithmetic.total, open: old_python.old_open}
"""Builtin function -> what a call of it does."""
NAMES = frozenset(("sum", "open", "round"))
"""The names of builtin functions whose calls are looked at; `round` in programs of Python 2."""


def chooser(old_calls: Mapping[Any, Callable[..., Any]]) -> Callable[[Any], Any]:
    """Returns a function from what a name holds to what a call of the name calls."""
    by_identity = {id(function): called for function, called in old_calls.items()}
    return lambda function: by_identity.get(id(function), function)


class Builtins(ModuleType):
    """The module `builtins` as the program sees it; a change reaches Python's module and the program's files."""

    def __init__(self, own: dict[str, Any]) -> None:
        super().__init__("builtins", builtins.__doc__)
        object.__setattr__(self, "_own", own)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # mock asks it where a name comes from
        return vars(builtins)

    def __getattr__(self, name: str) -> Any:
        return getattr(builtins, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(builtins, name, value)
        if name != "__import__":  # ours calls Python's
            object.__getattribute__(self, "_own")[name] = value

    def __delattr__(self, name: str) -> None:
        delattr(builtins, name)
        object.__getattribute__(self, "_own").pop(name, None)

    def __dir__(self) -> list[str]:
        return dir(builtins)
