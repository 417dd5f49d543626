"""Graphs of TensorFlow 0.12 to 1.15 as source code: `tf2bridge.decompile(path, output)`.

This package and its function have one name, so the package can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from tf2bridge.first_use import public_names

_PUBLIC = {"Decompiled": "tf2bridge.decompile.decompiling", "decompile": "tf2bridge.decompile.decompiling"}

__getattr__, __dir__ = public_names(__name__, _PUBLIC)


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """As `tf2bridge.decompile.decompile`."""
        return self.decompile(*arguments, **keywords)


sys.modules[__name__].__class__ = _Callable
