"""Why a name of TensorFlow 1 has no counterpart in native code, and what a person can do."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_KEEP = "keep the compat target"
_GRAPH_IN_FILE = (
    "the graph that it reads is in a file, and not in the source; call the code that built this graph, or keep the "
    "compat target"
)
_SERVERS = "servers and clusters have none; train in one process, or with a strategy of tf.distribute"
_WHY: Mapping[str, str] = {
    "GraphDef": _GRAPH_IN_FILE,
    "import_graph_def": _GRAPH_IN_FILE,
    "train.import_meta_graph": _GRAPH_IN_FILE,
    "saved_model.loader.load": _GRAPH_IN_FILE,
    "train.ClusterSpec": _SERVERS,
    "train.Server": _SERVERS,
    "train.replica_device_setter": _SERVERS,
    "contrib.layers.optimize_loss": (
        "its value is used, or it runs updates, makes summaries or has other options; write an optimizer and minimize()"
    ),
    "train.ExponentialMovingAverage": (
        "the source does not list what it averages, or uses it in a way that is not known; give apply() a list of "
        "variables with names of their own"
    ),
    "contrib.framework.arg_scope": "write the options into the calls",
    "contrib.slim.arg_scope": "write the options into the calls",
    "FIFOQueue": "make a tf.data.Dataset",
    "RandomShuffleQueue": "make a tf.data.Dataset",
    "train.string_input_producer": "this queue is used in a way that is not known; make a tf.data.Dataset",
    "train.slice_input_producer": "this queue is used in a way that is not known; make a tf.data.Dataset",
    "train.input_producer": "make a tf.data.Dataset",
    "train.Coordinator": "it stops threads that the source does not show to be those of queues; remove it",
}
"""Name -> the reason, where there is a better one than that nothing stands for it."""


def message_of(node: ast.Call, name: str) -> str:
    """Returns why a call has no counterpart.

    Args:
        node: The call.
        name: Its name in TensorFlow 1; "unavailable" where the compat target has put a stand-in for a name.
    """
    if name == "unavailable" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        return f"tf.{node.args[0].value!s} is not in TensorFlow 2, and has no counterpart in native code; {_KEEP}"
    best = max((known for known in _WHY if f"{name}.".startswith(f"{known}.")), key=len, default=None)
    if best is not None:
        return f"tf.{name} has no counterpart in native code: {_WHY[best]}"
    return f"tf.{name} has no counterpart in native code; {_KEEP}"
