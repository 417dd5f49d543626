"""What a graph says twice, and what no release wrote: compared when a file is read, since it has no checksum.

A wrong bit in a weight does not show here: a sidecar (`formats.sidecars`) tells it.
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
    """Returns whether each node has a name and an operation, as those of a graph have.

    Raises DamagedGraphError for sizes below -1; values of constants are looked at by `constant_form.misfit`.
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
        wrong = [each.size for each in stated if each.size < -1]
        if wrong:
            raise DamagedGraphError(path, f"{node.name} ({op}) has a dimension of size {wrong[0]}")
    return named


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
