"""Infer the static shapes of a GraphDef with TensorFlow's own shape functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.nodes import copied, data_inputs, is_control
from tf2bridge.graph.passes.prune import placeholder
from tf2bridge.internals.framework import (
    ScopedTFBuffer,
    ScopedTFImportGraphDefOptions,
    ScopedTFImportGraphDefResults,
    importer,
)
from tf2bridge.internals.protos import graph_pb2
from tf2bridge.internals.sessions import pywrap_tf_session as c_api

v1 = tf.compat.v1

_MANY = 1000
"""Operations in a graph before a new one is better: adding a part takes time for each name in the graph."""
_LARGEST = 254
"""The most dimensions that a tensor has (core/framework/tensor_shape.h)."""
_LARGE = 4096
"""Bytes. A larger constant never holds a shape: its own shape is enough, and its value is not copied."""


class ShapedGraph:
    """A graph that grows part by part, so that TensorFlow infers its shapes.

    Only the requested operations become Python objects: making an object of each operation takes most of an import.
    """

    def __init__(self) -> None:
        self._graph = tf.Graph()
        self._carried: dict[str, Any] = {}
        self._size = 0

    @property
    def full(self) -> bool:
        """Whether the next part should go to a new graph; see `_MANY`."""
        return self._size >= _MANY

    def add(
        self, nodes: Iterable[Any], known: Mapping[str, Any], wanted: Sequence[str], functions: Iterable[Any] = ()
    ) -> dict[str, Any]:
        """Adds nodes without their control inputs, and returns the operations that are `wanted`.

        Args:
            nodes: the nodes to add.
            known: endpoint -> its tensor in this or another graph, for inputs that `nodes` does not compute.
            wanted: names of nodes.
            functions: the functions that are operations of the nodes.

        Returns:
            Name -> operation, for each wanted name.

        Raises:
            ValueError: the nodes do not fit together.
        """
        inputs = {source: self._local(source, operation) for source, operation in known.items()}
        part = graph_pb2.GraphDef()
        part.versions.producer = tf.version.GRAPH_DEF_VERSION
        part.library.function.extend(functions)
        part.node.extend(map(_bare, nodes))
        self._size += len(part.node)
        options = ScopedTFImportGraphDefOptions()
        importer._PopulateTFImportGraphDefOptions(options.options, "", inputs, wanted, True)
        buffer = ScopedTFBuffer(part.SerializeToString())
        with self._graph._c_graph.get() as c_graph:
            try:
                results = c_api.TF_GraphImportGraphDefWithResults(c_graph, buffer.buffer, options.options)
            except tf.errors.InvalidArgumentError as error:
                raise ValueError(str(error)) from error
        scoped_results = ScopedTFImportGraphDefResults(results)
        found_operations = c_api.TF_ImportGraphDefResultsReturnOperations(scoped_results.results)
        operations = [
            self._graph._create_op_from_tf_operation(operation, compute_device=False) for operation in found_operations
        ]
        return dict(zip(wanted, operations, strict=True))

    def _local(self, source: str, tensor: Any) -> Any:
        """Returns a tensor of this graph in place of one that may be of another graph.

        A tensor of another graph becomes a placeholder of its shape, or a constant if its value may be part of a shape.
        """
        if tensor.graph is self._graph:
            return tensor
        if source not in self._carried:
            value = _small_integers(tensor)
            with self._graph.as_default():
                made = v1.placeholder(tensor.dtype, tensor.shape) if value is None else tf.constant(value, tensor.dtype)
            self._carried[source] = made
        return self._carried[source]


def static_shapes(nodes: Mapping[str, Any], functions: Iterable[Any], endpoints: Iterable[str]) -> dict[str, Any]:
    """Returns endpoint -> `tf.TensorShape` of nodes that fit together."""
    ends = list(endpoints)
    wanted = list(dict.fromkeys(source.rpartition(":")[0] for source in ends))
    operations = ShapedGraph().add(nodes.values(), {}, wanted, functions)
    return {source: tensor(operations, source).shape for source in ends}


def _small_integers(tensor: Any) -> Any:
    """Returns the value of a tensor that may be a shape or part of one, or None if it cannot be or is not known."""
    if (
        not tensor.dtype.is_integer
        or tensor.shape.rank not in (0, 1)
        or (tensor.shape.num_elements() or _MANY) > _LARGEST
    ):
        return None
    with tensor.graph._c_graph.get() as c_graph:
        return c_api.TF_TryEvaluateConstant_wrapper(c_graph, tensor._as_tf_output())


def tensor(operations: Mapping[str, Any], source: str) -> Any:
    """Returns the tensor of an endpoint; `operations` is name -> operation."""
    name, _, port = source.rpartition(":")
    return operations[name].outputs[int(port)]


def _bare(node: Any) -> Any:
    """Returns the node without control inputs; a large constant becomes a placeholder of its shape."""
    if node.op == "Const" and node.ByteSize() > _LARGE:
        return placeholder(node.name, node.attr["dtype"].type, node.attr["value"].tensor.tensor_shape)
    if not any(is_control(source) for source in node.input):
        return node
    bare = copied(node)
    bare.input[:] = data_inputs(node)
    return bare
