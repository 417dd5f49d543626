"""Lets importlib import a module that exists already."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # importlib.abc imports 30 modules, a twentieth of the time that importing tf2bridge.v1 takes


class ExistingModule(Loader):
    """The loader of the spec of such a module."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Returns a module for importlib to set its attributes on; those of ours stay as they are."""
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Puts the module that exists in the place of the new one."""
        sys.modules[module.__name__] = self._module
