"""What a graph says twice, and what no release wrote: compared when a file is read, since it has no checksum.

A wrong bit in a weight does not show here: a sidecar (`formats.sidecars`) tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from google.protobuf.unknown_fields import UnknownFieldSet

from tf2bridge.formats import messages
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.legacy import Signature
from tf2bridge.formats.graphs.nodes import HANDLES, by_name, node_of
from tf2bridge.formats.sizes import MOST_DIMENSIONS
from tf2bridge.graph import operations
from tf2bridge.graph.interface import PLACEHOLDERS
from tf2bridge.graph.refusals import DamagedGraphError

_SHAPED = frozenset((*PLACEHOLDERS, *HANDLES))
_MANY_SMALL = 512
"""Bytes: nodes that have fewer on average are looked at faster all at once than one by one."""


def check(path: Path, graph_def: Any) -> bool:
    """Returns whether each node has a name and an operation, as those of a graph have.

    Raises DamagedGraphError for sizes below -1; values of constants are looked at by `constant_form.misfit`.
    """
    named = True
    for node in _nodes(graph_def):
        op = node.op
        named = named and bool(op and node.name)
        if op not in _SHAPED:
            continue
        stated = _stated(node)
        if len(stated) > MOST_DIMENSIONS:
            raise DamagedGraphError(path, f"{node.name} ({op}) has {len(stated):,} dimensions")
        wrong = [each.size for each in stated if each.size < -1]
        if wrong:
            raise DamagedGraphError(path, f"{node.name} ({op}) has a dimension of size {wrong[0]}")
    return named


def check_fields(path: Path, message: Any, content: bytes, graphs: Callable[[Any], Iterable[Any]]) -> None:
    """Raises DamagedGraphError for fields that TensorFlow's classes do not know, unless a later release wrote them.

    `graphs` gives the graphs in the message, which is parsed from `content`.
    """
    import tensorflow as tf

    known = [each.versions.producer <= tf.version.GRAPH_DEF_VERSION for each in graphs(message)]
    nodes = sum(len(nodes) for each in graphs(message) for nodes in _lists_of_nodes(each))
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
    for node in _nodes(graph_def):
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


def _lists_of_nodes(graph_def: Any) -> Iterator[Any]:
    yield graph_def.node
    for function in graph_def.library.function:
        yield function.node_def


def _nodes(graph_def: Any) -> Iterator[Any]:
    return chain.from_iterable(_lists_of_nodes(graph_def))


def _stated(node: Any) -> Any:
    """The dimensions that a placeholder or variable states."""
    return node.attr["shape"].shape.dim if "shape" in node.attr else ()


def check_signatures(path: Path, graph_def: Any, signatures: Mapping[str, Signature]) -> None:
    """Raises DamagedGraphError where a signature says another type or shape of a tensor than the graph does."""
    told = {name: info for each in signatures.values() for name, info in each.tensors.items()}
    if not told:
        return
    nodes, functions = by_name(graph_def.node), functions_of(graph_def.library)
    for tensor, info in told.items():
        node = nodes.get(node_of(tensor))
        if node is None:
            continue
        types = dict(enumerate(operations.output_types(node, functions)))
        own, said = (messages.type_name(number) for number in (types.get(_port(tensor), 0), info.dtype))
        if "unknown" not in (own, said) and own != said:
            raise DamagedGraphError(path, f"a signature says that {tensor} is of type {said}, and the graph {own}")
        if node.op in PLACEHOLDERS and not _fit(node.attr["shape"].shape, info.tensor_shape):
            raise DamagedGraphError(path, f"a signature says another shape of {tensor} than the graph")


def _port(tensor: str) -> int:
    port = tensor.rpartition(":")[2]
    return int(port) if ":" in tensor and port.isdecimal() else 0


def _fit(one: Any, other: Any) -> bool:
    """Whether two shapes may be of one tensor; old releases wrote an empty shape for one that is not known."""
    if one.unknown_rank or other.unknown_rank or not one.dim or not other.dim:
        return True
    sizes = [[each.size for each in shape.dim] for shape in (one, other)]
    return len(sizes[0]) == len(sizes[1]) and all(a == b or min(a, b) < 0 for a, b in zip(*sizes, strict=True))
