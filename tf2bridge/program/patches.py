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
"""Module -> its function that resolves a dotted name. unittest.mock has one in Python 3.10 alone."""


@contextlib.contextmanager
def attached(imports: Any) -> Iterator[None]:
    """Makes `pkgutil.resolve_name` (used by `unittest.mock`) and the loaded modules above ask `imports` first."""
    with PatchSet("names given as a text").for_a_while():
        put(pkgutil, "resolve_name", _asking(imports, pkgutil.resolve_name))
        for name in RESOLVERS:
            if name in sys.modules:
                teach(imports, sys.modules[name])
        yield


def teach(imports: Any, module: ModuleType) -> None:
    """Makes one of the modules above look names up in `imports` first."""
    name = RESOLVERS[module.__name__]
    if name in vars(module):
        put(module, name, _asking(imports, vars(module)[name]))


def _asking(imports: Any, original: Callable[[str], Any]) -> Callable[[str], Any]:
    def resolve(name: str) -> Any:
        """Does what the replaced function of Python or pytest does."""
        module, _, inner = name.partition(":")
        try:
            value = imports.named(module)
        except LookupError:
            return original(name)
        for part in inner.split(".") if inner else ():
            value = getattr(value, part)
        return value

    return resolve
