"""Imports of TensorFlow that a program makes by a text: `importlib.import_module`, `pydoc.locate`, pickle.

The program's own `importlib` answers as its import statements do. Libraries that are given a text ask the finder:
it has only what TensorFlow 2 lacks, so that a text that TensorFlow 2 knows means its module, and it does not answer
import statements of libraries.
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
    """Answers `pydoc.locate` and pickle's imports of TensorFlow 1.x for a with block."""
    original = pydoc.locate
    finder = Finder(dict.fromkeys(imports.heads, imports.tree), _is_asked_by_text)

    def locate(path: str, forceload: Any = 0) -> Any:
        """As `pydoc.locate`."""
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
    """`importlib` with an `import_module` that answers as the import statement does."""
    module = ModuleType("importlib")
    module.__dict__.update({name: value for name, value in vars(importlib).items() if name != "__builtins__"})

    def import_module(name: str, package: str | None = None) -> Any:
        return imports.replaced(name) if imports.means_tensorflow(name) else importlib.import_module(name, package)

    def find_loader(name: str, path: Any = None) -> Any:
        """As `importlib.find_loader` up to Python 3.11: None for a module that is not there."""
        spec = importlib.util.find_spec(name) if path is None else PathFinder.find_spec(name, path)
        return None if spec is None else spec.loader

    module.__dict__.update(import_module=import_module, find_loader=find_loader)
    return module


def _is_asked_by_text(_name: str) -> bool:
    """Whether neither an import statement nor tf2bridge, which looks into TensorFlow 2 by texts, asks the finder."""
    frame = first_outside(*_BETWEEN)
    return frame is not None and not is_statement(frame) and not module_of(frame).startswith("tf2bridge.")
