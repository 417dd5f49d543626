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

from tf2bridge.patching import PatchSet, put

RESOLVERS = {"unittest.mock": "_importer", "mock.mock": "_importer", "_pytest.monkeypatch": "resolve"}
"""Module -> its function from a dotted name to what it names. That of unittest.mock is there in Python 3.10 alone."""


@contextlib.contextmanager
def attached(imports: Any) -> Iterator[None]:
    """Makes `pkgutil.resolve_name`, which `unittest.mock` asks, and modules that are loaded ask `imports` first."""
    with PatchSet("names given as a text").for_a_while():
        put(pkgutil, "resolve_name", _asking(imports, pkgutil.resolve_name))
        for name in RESOLVERS:
            if name in sys.modules:
                teach(imports, sys.modules[name])
        yield


def teach(imports: Any, module: ModuleType) -> None:
    """Makes one of the modules above ask `imports` first."""
    name = RESOLVERS[module.__name__]
    if name in vars(module):
        put(module, name, _asking(imports, vars(module)[name]))


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
