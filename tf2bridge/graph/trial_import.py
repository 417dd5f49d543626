"""Imports an unprepared graph on trial after a failure, to tell a damaged file from a bug of ours."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.audit import harmless_part
from tf2bridge.formats.graphs.failures import Verdict, is_raised_by_tensorflow
from tf2bridge.formats.graphs.nodes import by_name, needed, node_of
from tf2bridge.graph.op_checks import known_part
from tf2bridge.graph.passes.removed_ops import UNKNOWN
from tf2bridge.graph.passes.strip import without_shapes
from tf2bridge.internals.framework import op_def_registry


def part_for(graph_def: Any, fetches: Collection[str]) -> Any:
    """Returns the part of a GraphDef that these endpoints and operations need without any feeds."""
    nodes = by_name(graph_def.node)
    wanted = needed(nodes, map(node_of, fetches))
    part = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    part.node.extend(node for node in graph_def.node if node.name in wanted)
    return part


def verdict_on(graph_def: Any, is_own: bool = True) -> Verdict:
    """Returns a function that imports the harmless, known part of a graph, and returns TensorFlow's error message.

    The function returns "" if TensorFlow accepts the graph.

    Args:
        graph_def: the graph as it was read.
        is_own: whether the original error may come from nodes that passes made. Then only the import counts.
    """

    def verdict(error: BaseException) -> str:
        if not is_own and (isinstance(error, tf.errors.OpError) or is_raised_by_tensorflow(error)):
            return _message(error)
        if unknown := _unknown(graph_def):
            return unknown
        harmless = without_shapes(harmless_part(known_part(graph_def), ()))  # an import runs parts of the graph
        try:
            with tf.Graph().as_default():
                tf.graph_util.import_graph_def(harmless, name="")
        except Exception as refusal:  # any kind of error shows that TensorFlow does not accept the graph
            return _message(refusal)
        return ""

    return verdict


def _unknown(graph_def: Any) -> str:
    """Returns a line for the first node with an unknown operation, or ""."""
    functions = {function.signature.name for function in graph_def.library.function}
    for node in graph_def.node:
        if op_def_registry.get(node.op) is None and node.op not in functions and node.op not in UNKNOWN:
            return f"{node.name} ({node.op}): it has no such operation"
    return ""


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')[:300]}"
