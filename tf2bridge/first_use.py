"""Packages that load their public objects at the first use (PEP 562)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def public_names(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns `__getattr__` and `__dir__` of a package that imports its public objects at their first use.

    The package repeats the table as imports under `if TYPE_CHECKING`, so that editors and type checkers see the names.
    A test compares the two lists.

    Args:
        package: The name of the package.
        modules: Public name -> the module that defines it, or the module itself if it has that name.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(modules[name])
        return module if modules[name] == f"{package}.{name}" else getattr(module, name)

    return load, lambda: sorted(modules)
