"""Fields of a graph's messages that TensorFlow's classes do not know: what no release wrote, or a later one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import tensorflow as tf
from google.protobuf.unknown_fields import UnknownFieldSet

from tf2bridge.formats.graphs.nodes import all_nodes, node_lists
from tf2bridge.formats.graphs.refusals import DamagedGraphError

_MANY_SMALL = 512
"""Bytes: nodes that have fewer on average are looked at faster all at once than one by one."""


def check_fields(path: Path, message: Any, content: bytes, graphs: Callable[[Any], Iterable[Any]]) -> None:
    """Raises DamagedGraphError for fields that TensorFlow's classes do not know, unless a later release wrote them.

    `graphs` gives the graphs in the message, which is parsed from `content`.
    """
    known = [graph_def.versions.producer <= tf.version.GRAPH_DEF_VERSION for graph_def in graphs(message)]
    nodes = sum(len(nodes) for graph_def in graphs(message) for nodes in node_lists(graph_def))
    if all(known) and len(content) < _MANY_SMALL * nodes:
        message.DiscardUnknownFields()
        if message.ByteSize() == len(content):  # a field is written in one way: all that it says is known
            return
        message.ParseFromString(content)
    for graph_def, is_known in zip(graphs(message), known, strict=True):
        if is_known:
            _check_fields_of(path, graph_def)


def _check_fields_of(path: Path, graph_def: Any) -> None:
    if len(UnknownFieldSet(graph_def)):
        raise DamagedGraphError(path, "it has fields that no release of TensorFlow wrote")
    for node in all_nodes(graph_def):
        if _has_strange_fields(node):
            raise DamagedGraphError(path, f"the node {node.name} has fields that no release of TensorFlow wrote")


def _has_strange_fields(node: Any) -> bool:
    """Whether a node has fields that TensorFlow's classes do not know; they are taken from it, but from constants.

    A constant of several dimensions may be large: `ByteSize` writes it out, and to look at its parts costs less.
    """
    if node.op == "Const" and "value" in node.attr and len(node.attr["value"].tensor.tensor_shape.dim) > 1:
        return any(map(len, map(UnknownFieldSet, _parts(node))))
    size = node.ByteSize()
    node.DiscardUnknownFields()
    return bool(node.ByteSize() != size)


def _parts(node: Any) -> tuple[Any, ...]:
    """The messages that a constant consists of."""
    attributes = node.attr
    tensor = attributes["value"].tensor
    shape, nested = tensor.tensor_shape, (*tensor.resource_handle_val, *tensor.variant_val)
    return (node, *map(attributes.__getitem__, attributes), tensor, shape, *shape.dim, *nested)
