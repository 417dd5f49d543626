"""Runs, loads and proves TensorFlow 0.x/1.x programs on TensorFlow 2.  Imports TensorFlow only where it is needed.

PYTEST_DONT_REWRITE: pytest would warn that it is imported already where `tf2bridge run` runs the tests of a program.
"""

from tf2bridge.first_use import public_names

_PUBLIC = {
    "GraphModule": "tf2bridge.graph.module",
    "checkpoint": "tf2bridge.checkpoint",
    "export": "tf2bridge.graph.export_file",
    "load": "tf2bridge.graph.load",
    "proof": "tf2bridge.proof",
    "train": "tf2bridge.train",
    "wrap": "tf2bridge.graph.wrap",
    "wrap_class": "tf2bridge.graph.wrapped_class",
}

# At first use: TensorFlow is not imported before one that needs it.
__getattr__, __dir__ = public_names(__name__, _PUBLIC)
