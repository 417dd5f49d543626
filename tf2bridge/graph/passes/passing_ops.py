"""Endpoints carried along by operations that only pass a value on, into loops and conditions and out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, endpoint, is_control, node_of
from tf2bridge.graph.passes.frames import ENTER, EXIT, MERGE, NEXT, SWITCH
from tf2bridge.internals.protos import types_pb2

PASSING = frozenset(("Identity", "RefIdentity", *ENTER, *EXIT, *NEXT, *SWITCH, *MERGE))
"""Operations whose first outputs are one of their inputs."""


def carried(node: Any) -> list[str]:
    """The inputs of a passing operation that it may pass on: all of a `Merge`, the first of the others."""
    sources = data_inputs(node)
    return sources if node.op in MERGE else sources[:1]


def carriers(node: Any) -> list[str]:
    """The outputs that bear the value: both of a `Switch`."""
    return [f"{node.name}:{port}" for port in range(2 if node.op in SWITCH else 1)]


def reached(nodes: Mapping[str, Any], roots: Iterable[str]) -> set[str]:
    """All endpoints that hold the value of one of the endpoints `roots`."""
    pending = list(roots)
    consumers: dict[str, list[Any]] = {}
    for node in nodes.values() if pending else ():
        if node.op in PASSING:
            for source in carried(node):
                consumers.setdefault(source, []).append(node)
    found: set[str] = set()
    while pending:
        source = pending.pop()
        if source not in found:
            found.add(source)
            pending += [each for node in consumers.get(source, ()) for each in carriers(node)]
    return found


def root(nodes: Mapping[str, Any], source: str) -> str:
    """The endpoint that a value comes from, behind all that only passes it on; a loop's is the one it began with."""
    source = endpoint(source)
    while (node := nodes.get(node_of(source))) is not None and node.op in PASSING:
        source = (
            next(each for each in carried(node) if nodes[node_of(each)].op not in NEXT)
            if node.op in MERGE
            else carried(node)[0]
        )
    return source


def retyped(nodes: Nodes, endpoints: Iterable[str], dtype: int) -> None:
    """Gives the passing operations among `endpoints` another type, in place."""
    for source in endpoints:
        node = nodes.get(node_of(source))
        if node is not None and node.op in PASSING:
            node.attr["T"].type = dtype


def with_handles(nodes: Nodes, roots: Iterable[str]) -> None:
    """Makes all that passes on these endpoints, which were references, pass on resources, in place."""
    handles = reached(nodes, roots)
    for source in handles:
        node = nodes[node_of(source)]
        node.op = node.op.removeprefix("Ref")
    retyped(nodes, handles, types_pb2.DT_RESOURCE)


def redirected(nodes: Nodes, changed: Callable[[str], str]) -> None:
    """Gives every data input its new endpoint, in place."""
    for node in nodes.values():
        node.input[:] = [source if is_control(source) else changed(endpoint(source)) for source in node.input]
