"""Imports of TensorFlow by a text: `importlib.import_module`, `pydoc.locate`, pickle.

The program's own `importlib` returns the same modules as its import statements. Libraries that get a text use the
finder. It has only modules that TensorFlow 2 lacks, so a text that TensorFlow 2 knows means the module of TensorFlow 2.
It does not answer import statements of libraries.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import pydoc
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from tf2bridge.frames import first_outside, module_of
from tf2bridge.patching import PatchSet, on_undo, put
from tf2bridge.program.absent import is_statement
from tf2bridge.v1.finder import Finder

_BETWEEN = ("importlib", "_frozen_importlib", __name__, "tf2bridge.v1.finder", "tf2bridge.program.imports")
"""The modules whose functions stand between the finder and those who ask."""


@contextlib.contextmanager
def attached(imports: Any) -> Iterator[None]:
    """Makes `pydoc.locate` and pickle import TensorFlow 1.x within a with block."""
    original = pydoc.locate
    finder = Finder(dict.fromkeys(imports.heads, imports.tree), _is_asked_by_text)

    def locate(path: str, forceload: Any = 0) -> Any:
        """Does the same as `pydoc.locate`, for names of TensorFlow 1.x."""
        if not imports.means_tensorflow(path):
            return original(path, forceload)
        try:
            return imports.replaced(path)
        except ImportError:
            return None

    with PatchSet("imports by a text").for_a_while():
        put(pydoc, "locate", locate)
        sys.meta_path.append(finder)
        on_undo(lambda: sys.meta_path.remove(finder))
        yield


def own_importlib(imports: Any) -> ModuleType:
    """Returns `importlib` with an `import_module` that imports the same modules as the import statement."""
    module = ModuleType("importlib")
    module.__dict__.update({name: value for name, value in vars(importlib).items() if name != "__builtins__"})

    def import_module(name: str, package: str | None = None) -> Any:
        return imports.replaced(name) if imports.means_tensorflow(name) else importlib.import_module(name, package)

    def find_loader(name: str, path: Any = None) -> Any:
        """Does the same as `importlib.find_loader` up to Python 3.11: returns None for a missing module."""
        spec = importlib.util.find_spec(name) if path is None else PathFinder.find_spec(name, path)
        return None if spec is None else spec.loader

    module.__dict__.update(import_module=import_module, find_loader=find_loader)
    return module


def _is_asked_by_text(_name: str) -> bool:
    """Returns whether a text, and not an import statement or tf2bridge itself, is looked up."""
    frame = first_outside(*_BETWEEN)
    return frame is not None and not is_statement(frame) and not module_of(frame).startswith("tf2bridge.")
