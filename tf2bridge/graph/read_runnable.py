"""Reads graph files into TensorFlow's own message classes, which its functions need to run a graph."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from google.protobuf import text_format

from tf2bridge.formats.graphs.failures import sound
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.old_functions import old_functions
from tf2bridge.formats.graphs.parsing import OWN, MessageClasses, graphs_in, merge_text, merged
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.kinds import first_field
from tf2bridge.graph import cycles
from tf2bridge.graph.unknown_fields import check_fields
from tf2bridge.graph.upgraded_functions import modernised
from tf2bridge.internals.protos import graph_pb2, meta_graph_pb2, saved_model_pb2

_CLASSES = {
    "GraphDef": graph_pb2.GraphDef,
    "MetaGraphDef": meta_graph_pb2.MetaGraphDef,
    "SavedModel": saved_model_pb2.SavedModel,
}


def read_runnable(path: str | Path, tags: Collection[str] | None = None) -> LegacyGraph:
    """Returns the graph in a file or directory, like `formats.graphs.reader.read`, in TensorFlow's own messages.

    Raises what `read` raises, and DamagedGraphError for cycles and for fields that no release of TensorFlow wrote.
    """
    return read(path, tags, TENSORFLOWS)


class _TensorFlowsClasses(MessageClasses):
    """TensorFlow's message classes. They know all fields except those of the functions of 0.12."""

    def message(self, name: str) -> Any:
        return _CLASSES[name]()

    def merge_text(self, message: Any, text: str) -> None:
        """Parses a text. A field that TensorFlow's classes do not know is an error: its value would be lost."""
        try:
            merge_text(message, text, allow_unknown=False)
        except text_format.ParseError:
            message.Clear()
            merge_text(message, text, allow_unknown=True)
            if not any(_has_old_functions(message, graph_def) for graph_def in graphs_in(message)):
                raise

    def check(self, path: Path, message: Any, content: bytes) -> None:
        if first_field(content):
            return  # it is a text, and `merge_text` has checked its fields
        if not any(_has_old_functions(message, graph_def) for graph_def in graphs_in(message)):
            check_fields(path, message, content, graphs_in)

    def settle(self, path: Path, message: Any, graph_def: Any, content: bytes) -> None:
        is_old = _has_old_functions(message, graph_def)
        cycles.check(path, graph_def)
        if is_old:
            own = merged(path, message.DESCRIPTOR.name, content, OWN)
            with sound(path, graph_def):
                modernised(graph_def, old_functions(next(graphs_in(own))))


def _has_old_functions(message: Any, graph_def: Any) -> bool:
    """Returns whether TensorFlow 0.12 wrote some functions; TensorFlow's classes do not know the fields of their nodes.

    TensorFlow 0.12 wrote no SavedModels.
    """
    is_old = any(not function.node_def and not function.ret for function in graph_def.library.function)
    return is_old and message.DESCRIPTOR.name != "SavedModel"


TENSORFLOWS = _TensorFlowsClasses()
