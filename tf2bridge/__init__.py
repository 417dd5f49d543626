"""Runs, loads and proves TensorFlow 0.x/1.x programs on TensorFlow 2.  Imports TensorFlow only where it is needed.

PYTEST_DONT_REWRITE: pytest would warn that it is imported already where `tf2bridge run` runs the tests of a program.
"""

from typing import TYPE_CHECKING

from tf2bridge.first_use import public_names

if TYPE_CHECKING:  # for editors and mypy, which do not read the table
    from tf2bridge import checkpoint as checkpoint
    from tf2bridge import decompile as decompile
    from tf2bridge import proof as proof
    from tf2bridge import train as train
    from tf2bridge.graph.export_file import export as export
    from tf2bridge.graph.graph_module import GraphModule as GraphModule
    from tf2bridge.graph.load import load as load
    from tf2bridge.graph.wrap import wrap as wrap
    from tf2bridge.graph.wrapped_class import wrap_class as wrap_class

_PUBLIC = {
    "GraphModule": "tf2bridge.graph.graph_module",
    "checkpoint": "tf2bridge.checkpoint",
    "decompile": "tf2bridge.decompile",
    "export": "tf2bridge.graph.export_file",
    "load": "tf2bridge.graph.load",
    "proof": "tf2bridge.proof",
    "train": "tf2bridge.train",
    "wrap": "tf2bridge.graph.wrap",
    "wrap_class": "tf2bridge.graph.wrapped_class",
}

# They are imported at their first use, so TensorFlow is imported only if one needs it.
__getattr__, __dir__ = public_names(__name__, _PUBLIC)
