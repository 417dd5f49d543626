"""Runs, loads and proves TensorFlow 0.x/1.x programs on TensorFlow 2.  Imports TensorFlow only where it is needed.

PYTEST_DONT_REWRITE: pytest would warn that it is imported already where `tf2bridge run` runs the tests of a program.
"""

from typing import Any

_PARTS = ("checkpoint", "train")
_PUBLIC = {
    "GraphModule": "tf2bridge.graph.module",
    "export": "tf2bridge.graph.export_file",
    "load": "tf2bridge.graph.load",
    "wrap": "tf2bridge.graph.wrap",
    "wrap_class": "tf2bridge.graph.wrapped_class",
}


def __getattr__(name: str) -> Any:
    """Loads the public objects at their first use: TensorFlow is not imported before one that needs it."""
    from importlib import import_module

    if name in _PARTS:
        return import_module(f"tf2bridge.{name}")
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'tf2bridge' has no attribute {name!r}")
