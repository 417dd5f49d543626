"""Describes a graph in plain values, without TensorFlow."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from math import prod
from typing import Any

from tf2bridge.formats import messages
from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.audit import audit
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.failures import sound
from tf2bridge.formats.graphs.interface import Interface, interface, sizes, stated_shape
from tf2bridge.formats.graphs.legacy import TRAINABLE, LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, needed, node_of, variable_nodes
from tf2bridge.formats.graphs.unfit import unsupported
from tf2bridge.formats.graphs.versions import written_by


def ends_of(graph: LegacyGraph, inputs: list[str] | None, outputs: list[str] | None) -> Interface:
    """Returns the named inputs and outputs of a graph, or those that are found. Raises UnknownNameError."""
    with sound(graph.path, graph.graph_def):
        return interface(graph, inputs, outputs)


def described(graph: LegacyGraph, ends: Interface | None = None) -> dict[str, Any]:
    """Returns the facts about a graph: kind, release, sizes, inputs, outputs, signatures, variables, operations, risks.

    Args:
        graph: the graph.
        ends: the inputs and outputs, if they were chosen. Operations that `load` refuses are listed for these outputs.

    Raises:
        DamagedGraphError: the nodes of the graph do not fit together.
    """
    with sound(graph.path, graph.graph_def):
        return _described(graph, ends or interface(graph, None, None))


def _described(graph: LegacyGraph, ends: Interface) -> dict[str, Any]:
    graph_def = graph.graph_def
    tensors = _Tensors(graph)
    return {
        "path": str(graph.path),
        "kind": graph.kind.value,
        "release": graph.release,
        "written by": written_by(graph.release, graph_def.versions.producer),
        "producer": graph_def.versions.producer,
        "min consumer": graph_def.versions.min_consumer,
        "tags": list(graph.tags),
        "checkpoint": str(graph.checkpoint or ""),
        "found by": ends.how,
        "inputs": tensors.rows(ends.inputs),
        "outputs": tensors.rows(ends.outputs),
        "signatures": {
            name: {
                "method": signature.method,
                "inputs": tensors.rows(signature.inputs, signature.tensors),
                "outputs": tensors.rows(signature.outputs, signature.tensors),
            }
            for name, signature in sorted(graph.signatures.items())
        },
        "variables": _variables(graph),
        "collections": {name: _length(collection) for name, collection in sorted(graph.collections.items())},
        "assets": {tensor: str(file) for tensor, file in sorted(graph.assets.items())},
        "operations": dict(Counter(node.op for node in graph_def.node).most_common()),
        "functions": [function.signature.name for function in graph_def.library.function],
        "touches": [str(touch) for touch in audit(graph_def)],
        "unsupported": unsupported(_needed(graph_def, ends)),
    }


class _Tensors:
    """Describes tensors of one graph."""

    def __init__(self, graph: LegacyGraph) -> None:
        self._graph_def = graph.graph_def
        self._nodes = by_name(graph.graph_def.node)
        self._functions = functions_of(graph.graph_def.library)

    def rows(self, named: Mapping[str, str], infos: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Returns name, tensor, dtype and shape of each tensor. infos: endpoint -> TensorInfo of a signature."""
        return [{"name": name, "tensor": source, **self._form(source, infos or {})} for name, source in named.items()]

    def _form(self, source: str, infos: Mapping[str, Any]) -> dict[str, Any]:
        if source in infos:
            info = infos[source]
            return {"dtype": messages.type_name(info.dtype), "shape": sizes(info.tensor_shape)}
        if node_of(source) not in self._nodes:
            return {"dtype": "unknown", "shape": None}
        node = self._nodes[node_of(source)]
        port = int(source.rpartition(":")[2]) if ":" in source else 0
        types = dict(enumerate(operations.output_types(node, self._functions)))
        return {
            "dtype": messages.type_name(types.get(port, 0)),
            "shape": stated_shape(self._graph_def, node, port),
        }


def _variables(graph: LegacyGraph) -> list[dict[str, Any]]:
    trainable = {node_of(name) for name in graph.names(TRAINABLE)}
    return [
        {
            "name": name,
            "shape": sizes(node.attr["shape"].shape),
            "dtype": messages.type_name(node.attr["dtype"].type),
            "bytes": _bytes(node),
            "trainable": name in trainable,
        }
        for name, node in variable_nodes(graph.graph_def).items()
    ]


def _bytes(node: Any) -> int | None:
    """Returns the bytes of a variable, or None if its shape or type does not determine them."""
    shape = sizes(node.attr["shape"].shape)
    item_size = messages.type_bytes(node.attr["dtype"].type)
    if shape is None or item_size is None:
        return None
    known = [size for size in shape if size is not None]
    return prod(known) * item_size if len(known) == len(shape) else None


def _length(collection: Any) -> int:
    kind = collection.WhichOneof("kind")
    return len(getattr(collection, kind).value) if kind else 0


def _needed(graph_def: Any, ends: Interface) -> Any:
    """Returns the part of the graph between the inputs and the outputs."""
    nodes = by_name(graph_def.node)
    given = {node_of(source) for source in ends.inputs.values()}
    wanted = needed(nodes, map(node_of, ends.outputs.values()), given) - given
    part = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    part.node.extend(itertools.compress(graph_def.node, (node.name in wanted for node in graph_def.node)))
    return part
