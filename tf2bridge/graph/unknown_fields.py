"""Checks a graph's messages for fields that TensorFlow's classes do not know: damage, or fields of a later release."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import tensorflow as tf
from google.protobuf.unknown_fields import UnknownFieldSet

from tf2bridge.formats.graphs.nodes import all_nodes, node_lists
from tf2bridge.formats.graphs.refusals import DamagedGraphError

_MANY_SMALL = 512
"""Bytes: if nodes are smaller on average, checking the whole message at once is faster than checking each node."""


def check_fields(path: Path, message: Any, content: bytes, graphs: Callable[[Any], Iterable[Any]]) -> None:
    """Raises DamagedGraphError for fields that TensorFlow's classes do not know, unless a later release wrote them.

    Args:
        path: the file, for the error.
        message: the message that was parsed from `content`.
        content: the bytes of the file.
        graphs: returns the graphs in the message.
    """
    known = [graph_def.versions.producer <= tf.version.GRAPH_DEF_VERSION for graph_def in graphs(message)]
    nodes = sum(len(nodes) for graph_def in graphs(message) for nodes in node_lists(graph_def))
    if all(known) and len(content) < _MANY_SMALL * nodes:
        message.DiscardUnknownFields()
        if message.ByteSize() == len(content):  # equal sizes: no field was discarded
            return
        message.ParseFromString(content)
    for graph_def, is_known in zip(graphs(message), known, strict=True):
        if is_known:
            _check_fields_of(path, graph_def)


def _check_fields_of(path: Path, graph_def: Any) -> None:
    if len(UnknownFieldSet(graph_def)):
        raise DamagedGraphError(path, "it has fields that no release of TensorFlow wrote")
    for node in all_nodes(graph_def):
        if _has_unknown_fields(node):
            raise DamagedGraphError(path, f"the node {node.name} has fields that no release of TensorFlow wrote")


def _has_unknown_fields(node: Any) -> bool:
    """Returns whether a node has unknown fields, and removes them, except from constants of several dimensions.

    Such a constant may be large: checking its parts costs less than `ByteSize`, which serializes it.
    """
    if node.op == "Const" and "value" in node.attr and len(node.attr["value"].tensor.tensor_shape.dim) > 1:
        return any(map(len, map(UnknownFieldSet, _parts(node))))
    size = node.ByteSize()
    node.DiscardUnknownFields()
    return bool(node.ByteSize() != size)


def _parts(node: Any) -> tuple[Any, ...]:
    """Returns the messages that a constant consists of."""
    attributes = node.attr
    tensor = attributes["value"].tensor
    shape, nested = tensor.tensor_shape, (*tensor.resource_handle_val, *tensor.variant_val)
    return (node, *map(attributes.__getitem__, attributes), tensor, shape, *shape.dim, *nested)
