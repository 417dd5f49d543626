"""Lets importlib import a module that exists already."""

from __future__ import annotations

import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType


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
