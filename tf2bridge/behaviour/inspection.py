"""Facts about TensorFlow that private modules gave: the parameters of functions, and the ops."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterable
from typing import Any

from tf2bridge.behaviour.installed import private
from tf2bridge.internals import framework, protos, sessions, support

_ANNOTATED = ("tensorflow", "tf_keras", "tf2bridge")


def getfullargspec(obj: Any) -> inspect.FullArgSpec:
    """Returns the parameters of a callable, decorated or not.

    Functions of TensorFlow have no annotations, as in 1.x.
    """
    spec: inspect.FullArgSpec = private(support, "tf_inspect").getfullargspec(obj)
    if str(getattr(obj, "__module__", "")).partition(".")[0] in _ANNOTATED:
        return spec._replace(annotations={})
    return spec


def reveal_undocumented(symbol_name: str, target_module: Any = None) -> None:
    """Does nothing: names that a release hid can be reached here. Raises LookupError for one that is not there."""
    del target_module
    module, _, name = symbol_name.rpartition(".")
    if not hasattr(importlib.import_module(module), name):
        raise LookupError(f"Symbol {symbol_name} is not a hidden symbol")


@functools.cache
def get_registered_ops() -> dict[str, Any]:
    """Returns the definition (`OpDef`) of each op of TensorFlow by its name."""
    session = private(sessions, "pywrap_tf_session")
    listed = private(protos, "op_def_pb2").OpList()
    listed.ParseFromString(session.TF_GetBuffer(session.TF_GetAllOpList()))
    return {op.name: op for op in listed.op}


def create_graph_debug_info_def(operations: Iterable[tuple[str, Any]]) -> Any:
    """Returns a GraphDebugInfo: where each operation was made. `operations` are pairs of (function or "", operation).

    TensorFlow 2 stores each line once, and the traces as numbers of lines; here they stand in `traces`, as in 1.15.
    """
    info = private(framework, "error_interpolation").create_graph_debug_info_def(operations)
    for key, number in info.name_to_trace_id.items():
        name, _, function = key.partition("@")
        lines = [info.frames_by_id[frame] for frame in info.traces_by_id[number].frame_id]
        info.traces[function + name].file_line_cols.extend(lines)
    return info
