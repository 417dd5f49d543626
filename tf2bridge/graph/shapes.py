"""Static shapes in a GraphDef, as TensorFlow infers them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2


def static_shapes(nodes: Mapping[str, Any], functions: Iterable[Any], endpoints: Iterable[str]) -> dict[str, Any]:
    """Returns endpoint -> `tf.TensorShape`, for nodes that fit together: what is not known stays unknown."""
    graph_def = graph_pb2.GraphDef()
    graph_def.versions.producer = tf.version.GRAPH_DEF_VERSION
    graph_def.node.extend(nodes.values())
    graph_def.library.function.extend(functions)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
    return {source: graph.get_tensor_by_name(source).shape for source in endpoints}
