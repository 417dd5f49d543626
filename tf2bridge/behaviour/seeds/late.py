"""Runs a function when a module is loaded later: tf_keras takes half a second, and most programs never need it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Announcing(Loader):
    """Loads a module as its own loader does, then calls back."""

    def __init__(self, loader: Loader, loaded: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._loaded = loaded

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._loaded(module)


class Watch(MetaPathFinder):
    """Calls `loaded` with each of the modules `names` when it has been imported, until `stop`."""

    def __init__(self, names: Sequence[str], loaded: Callable[[ModuleType], None]) -> None:
        self._names = set(names)
        self._loaded = loaded
        sys.meta_path.insert(0, self)

    def stop(self) -> None:
        sys.meta_path.remove(self)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name not in self._names:
            return None
        self._names.discard(name)  # so that the search below does not end here again
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Announcing(spec.loader, self._loaded)
        return spec
