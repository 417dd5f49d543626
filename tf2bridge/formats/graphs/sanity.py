"""Checks a graph for contradictions and impossible values when its file is read, since the file has no checksum.

These checks do not find a wrong bit in a weight; a sidecar (`formats.sidecars`) does.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tf2bridge.formats import messages
from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.interface import PLACEHOLDERS
from tf2bridge.formats.graphs.legacy import Signature
from tf2bridge.formats.graphs.nodes import HANDLES, all_nodes, by_name, node_of
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.formats.sizes import MOST_DIMENSIONS

_SHAPED = frozenset((*PLACEHOLDERS, *HANDLES))


def check(path: Path, graph_def: Any) -> bool:
    """Returns whether each node has a name and an operation.

    Raises DamagedGraphError for sizes below -1. `constant_form.misfit` checks the values of constants.
    """
    named = True
    for node in all_nodes(graph_def):
        op = node.op
        named = named and bool(op and node.name)
        if op not in _SHAPED:
            continue
        stated = _stated(node)
        if len(stated) > MOST_DIMENSIONS:
            raise DamagedGraphError(path, f"{node.name} ({op}) has {len(stated):,} dimensions")
        wrong = [dimension.size for dimension in stated if dimension.size < -1]
        if wrong:
            raise DamagedGraphError(path, f"{node.name} ({op}) has a dimension of size {wrong[0]}")
    return named


def _stated(node: Any) -> Any:
    """Returns the dimensions that a placeholder or variable states."""
    return node.attr["shape"].shape.dim if "shape" in node.attr else ()


def check_signatures(path: Path, graph_def: Any, signatures: Mapping[str, Signature]) -> None:
    """Raises DamagedGraphError if a signature and the graph state different types or shapes of a tensor."""
    infos = {name: info for signature in signatures.values() for name, info in signature.tensors.items()}
    if not infos:
        return
    nodes, functions = by_name(graph_def.node), functions_of(graph_def.library)
    for tensor, info in infos.items():
        node = nodes.get(node_of(tensor))
        if node is None:
            continue
        types = dict(enumerate(operations.output_types(node, functions)))
        own, stated = (messages.type_name(number) for number in (types.get(_port(tensor), 0), info.dtype))
        if "unknown" not in (own, stated) and own != stated:
            raise DamagedGraphError(path, f"a signature says that {tensor} is of type {stated}, and the graph {own}")
        if node.op in PLACEHOLDERS and not _fit(node.attr["shape"].shape, info.tensor_shape):
            raise DamagedGraphError(path, f"a signature says another shape of {tensor} than the graph")


def _port(tensor: str) -> int:
    port = tensor.rpartition(":")[2]
    return int(port) if ":" in tensor and port.isdecimal() else 0


def _fit(first: Any, second: Any) -> bool:
    """Returns whether two shapes can be of the same tensor. Old releases wrote an unknown shape as an empty one."""
    if first.unknown_rank or second.unknown_rank or not first.dim or not second.dim:
        return True
    sizes = [[dimension.size for dimension in shape.dim] for shape in (first, second)]
    return len(sizes[0]) == len(sizes[1]) and all(a == b or min(a, b) < 0 for a, b in zip(*sizes, strict=True))
