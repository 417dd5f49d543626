"""Patches of names given as a text: `mock.patch("tensorflow.get_variable", fake)`, pytest's `monkeypatch.setattr`.

They change the modules that the program sees: its TensorFlow, `random`, `builtins` and others.
"""

from __future__ import annotations

import contextlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

RESOLVERS = {"mock.mock": "_importer", "_pytest.monkeypatch": "resolve"}
"""Module -> its function from a dotted name to what it names."""


@contextlib.contextmanager
def attached(imports: Any) -> Iterator[None]:
    """Makes `pkgutil.resolve_name`, which `unittest.mock` asks, and modules that are loaded ask `imports` first."""
    original = pkgutil.resolve_name
    before = [(sys.modules[name], function) for name, function in RESOLVERS.items() if name in sys.modules]
    functions = [(module, function, vars(module).get(function)) for module, function in before]
    setattr(pkgutil, "resolve_name", _asking(imports, original))  # noqa: B010  # mypy knows it by its parameter
    for module, _ in before:
        teach(imports, module)
    try:
        yield
    finally:
        setattr(pkgutil, "resolve_name", original)  # noqa: B010  # as above
        for module, function, value in functions:
            if value is not None:
                setattr(module, function, value)


def teach(imports: Any, module: ModuleType) -> None:
    """Makes one of the modules above ask `imports` first."""
    name = RESOLVERS[module.__name__]
    if name in vars(module):
        setattr(module, name, _asking(imports, vars(module)[name]))


def _asking(imports: Any, original: Callable[[str], Any]) -> Callable[[str], Any]:
    def resolve(name: str) -> Any:
        """As the function of Python or pytest that stands here."""
        module, _, inner = name.partition(":")
        try:
            found = imports.named(module)
        except LookupError:
            return original(name)
        for part in inner.split(".") if inner else ():
            found = getattr(found, part)
        return found

    return resolve
