"""Private names of TensorFlow, each imported when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def loader(names: Mapping[str, str], holder: dict[str, Any]) -> Callable[[str], Any]:
    """Returns the `__getattr__` (PEP 562) of a module that holds private names of TensorFlow.

    Args:
        names: name here -> "module", or "module:name" for part of one.
        holder: the dictionary of the module, which keeps what was loaded.
    """

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {holder['__name__']!r} has no attribute {name!r}")
        module, _, part = names[name].partition(":")
        loaded = importlib.import_module(module)
        holder[name] = value = getattr(loaded, part) if part else loaded
        return value

    return get
