"""Describes an endpoint of a legacy graph as a `tf.TensorSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.interface import stated_shape
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.graph.passes.function_library import Library


def spec_of(graph_def: Any, nodes: Mapping[str, Any], source: str) -> tf.TensorSpec:
    """Returns the dtype of an endpoint, and its shape from a placeholder, an iterator or a stored attribute."""
    node, port = nodes[node_of(source)], int(source.rpartition(":")[2])
    dtype = Library.of(graph_def).outputs(node)[port][2]
    return tf.TensorSpec(stated_shape(graph_def, node, port), tf.as_dtype(dtype).base_dtype, node.name)
