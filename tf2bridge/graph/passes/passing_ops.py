"""Follows values through operations that only pass them on, such as `Identity` and the operations of control flow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, endpoint, is_control, node_of
from tf2bridge.graph.passes.frames import ENTER, EXIT, MERGE, NEXT, SWITCH
from tf2bridge.internals.protos import types_pb2

PASSING = frozenset(("Identity", "RefIdentity", *ENTER, *EXIT, *NEXT, *SWITCH, *MERGE))
"""Operations whose first output is one of their inputs."""


def carried(node: Any) -> list[str]:
    """Returns the inputs that a passing operation may pass on: all of a `Merge`, the first of another operation."""
    sources = data_inputs(node)
    return sources if node.op in MERGE else sources[:1]


def carriers(node: Any) -> list[str]:
    """Returns the outputs that hold the value: both of a `Switch`, the first of another operation."""
    return [f"{node.name}:{port}" for port in range(2 if node.op in SWITCH else 1)]


def reached(nodes: Mapping[str, Any], roots: Iterable[str]) -> set[str]:
    """Returns all endpoints that hold the value of one of the endpoints `roots`."""
    pending = list(roots)
    consumers: dict[str, list[Any]] = {}
    for node in nodes.values() if pending else ():
        if node.op in PASSING:
            for source in carried(node):
                consumers.setdefault(source, []).append(node)
    endpoints: set[str] = set()
    while pending:
        source = pending.pop()
        if source not in endpoints:
            endpoints.add(source)
            pending += [carrier for node in consumers.get(source, ()) for carrier in carriers(node)]
    return endpoints


def root(nodes: Mapping[str, Any], source: str) -> str:
    """Returns the endpoint that computes a value, behind all passing operations; for a loop, the initial value's."""
    source = endpoint(source)
    while (node := nodes.get(node_of(source))) is not None and node.op in PASSING:
        source = (
            next(merged for merged in carried(node) if nodes[node_of(merged)].op not in NEXT)
            if node.op in MERGE
            else carried(node)[0]
        )
    return source


def retyped(nodes: Nodes, endpoints: Iterable[str], dtype: int) -> None:
    """Sets the dtype of the passing operations among `endpoints`, in place."""
    for source in endpoints:
        node = nodes.get(node_of(source))
        if node is not None and node.op in PASSING:
            node.attr["T"].type = dtype


def with_handles(nodes: Nodes, roots: Iterable[str]) -> None:
    """Makes the operations that pass on these endpoints pass on resources instead of references, in place."""
    handles = reached(nodes, roots)
    for source in handles:
        node = nodes[node_of(source)]
        node.op = node.op.removeprefix("Ref")
    retyped(nodes, handles, types_pb2.DT_RESOURCE)


def redirected(nodes: Nodes, replacement: Callable[[str], str]) -> None:
    """Replaces every data input by the endpoint that `replacement` returns for it, in place."""
    for node in nodes.values():
        node.input[:] = [source if is_control(source) else replacement(endpoint(source)) for source in node.input]
