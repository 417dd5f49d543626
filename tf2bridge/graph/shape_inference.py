"""Static shapes in a GraphDef, as TensorFlow infers them."""

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
"""Operations. TensorFlow looks at all names of a graph when a part is added to it."""
_LARGEST = 254
"""The most dimensions that a tensor has (core/framework/tensor_shape.h)."""
_LARGE = 4096
"""Bytes. What a constant of so many holds is nobody's shape: its own is enough, and weights need not be copied."""


class ShapedGraph:
    """A graph that grows part by part, for the shapes that TensorFlow infers in it.

    Python sees the operations that are asked for and no others: to make an object of each takes most of an import.
    """

    def __init__(self) -> None:
        self._graph = tf.Graph()
        self._carried: dict[str, Any] = {}
        self._size = 0

    @property
    def full(self) -> bool:
        """Whether the next part is better added to another such graph: each looks at all that is there."""
        return self._size >= _MANY

    def add(
        self, nodes: Iterable[Any], known: Mapping[str, Any], wanted: Sequence[str], functions: Iterable[Any] = ()
    ) -> dict[str, Any]:
        """Adds nodes, less what they wait for; returns the operations of those whose names are `wanted`.

        `known`: endpoint -> the tensor of this or another such graph, for what the nodes read of others; `functions`:
        those that are operations of the nodes. Raises ValueError for nodes that do not fit together.
        """
        here = {source: self._here(source, each) for source, each in known.items()}
        part = graph_pb2.GraphDef()
        part.versions.producer = tf.version.GRAPH_DEF_VERSION
        part.library.function.extend(functions)
        part.node.extend(map(_bare, nodes))
        self._size += len(part.node)
        options = ScopedTFImportGraphDefOptions()
        importer._PopulateTFImportGraphDefOptions(options.options, "", here, wanted, True)
        buffer = ScopedTFBuffer(part.SerializeToString())
        with self._graph._c_graph.get() as c_graph:
            try:
                results = c_api.TF_GraphImportGraphDefWithResults(c_graph, buffer.buffer, options.options)
            except tf.errors.InvalidArgumentError as error:
                raise ValueError(str(error)) from error
        kept = ScopedTFImportGraphDefResults(results)
        found = c_api.TF_ImportGraphDefResultsReturnOperations(kept.results)
        made = [self._graph._create_op_from_tf_operation(each, compute_device=False) for each in found]
        return dict(zip(wanted, made, strict=True))

    def _here(self, source: str, each: Any) -> Any:
        """A tensor of this graph: of another it is the shape, and the value if shapes may come of that."""
        if each.graph is self._graph:
            return each
        if source not in self._carried:
            value = _small_integers(each)
            with self._graph.as_default():
                made = v1.placeholder(each.dtype, each.shape) if value is None else tf.constant(value, each.dtype)
            self._carried[source] = made
        return self._carried[source]


def static_shapes(nodes: Mapping[str, Any], functions: Iterable[Any], endpoints: Iterable[str]) -> dict[str, Any]:
    """Returns endpoint -> `tf.TensorShape`, for nodes that fit together: what is not known stays unknown."""
    ends = list(endpoints)
    wanted = list(dict.fromkeys(source.rpartition(":")[0] for source in ends))
    made = ShapedGraph().add(nodes.values(), {}, wanted, functions)
    return {source: tensor(made, source).shape for source in ends}


def _small_integers(each: Any) -> Any:
    """The value of a tensor that may be a shape or a part of one, None where it is none or not known."""
    if not each.dtype.is_integer or each.shape.rank not in (0, 1) or (each.shape.num_elements() or _MANY) > _LARGEST:
        return None
    with each.graph._c_graph.get() as c_graph:
        return c_api.TF_TryEvaluateConstant_wrapper(c_graph, each._as_tf_output())


def tensor(operations: Mapping[str, Any], source: str) -> Any:
    """The tensor of an endpoint of operations by name."""
    name, _, port = source.rpartition(":")
    return operations[name].outputs[int(port)]


def _bare(node: Any) -> Any:
    """The node without what it waits for, and without the value of a large constant."""
    if node.op == "Const" and node.ByteSize() > _LARGE:
        return placeholder(node.name, node.attr["dtype"].type, node.attr["value"].tensor.tensor_shape)
    if not any(is_control(source) for source in node.input):
        return node
    bare = copied(node)
    bare.input[:] = data_inputs(node)
    return bare
