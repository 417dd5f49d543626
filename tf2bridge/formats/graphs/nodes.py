"""Nodes of a GraphDef and what joins them. "a" and "a:0" are one endpoint, "^a" is a control input."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any

Nodes = dict[str, Any]
"""Node name -> NodeDef, in the order of the graph."""

VARIABLES = ("Variable", "VariableV2")
HANDLES = (*VARIABLES, "VarHandleOp")
"""Variables of both kinds."""


def node_of(source: str) -> str:
    """The name of the node that an input comes from."""
    return source.partition(":")[0].removeprefix("^")


def is_control(source: str) -> bool:
    """Whether an input only says that another node runs first."""
    return source.startswith("^")


def endpoint(source: str) -> str:
    """The one way of writing a data input: "a" -> "a:0"."""
    return source if ":" in source else f"{source}:0"


def data_inputs(node: Any) -> list[str]:
    """The endpoints that a node reads."""
    return [endpoint(source) for source in node.input if not is_control(source)]


def by_name(nodes: Iterable[Any]) -> Nodes:
    """The nodes of a GraphDef by their names."""
    return {node.name: node for node in nodes}


def node_lists(graph_def: Any) -> Iterator[Any]:
    """Gives the list of a graph's own nodes, and that of each function in its library."""
    yield graph_def.node
    for function in graph_def.library.function:
        yield function.node_def


def all_nodes(graph_def: Any) -> Iterator[Any]:
    """Gives all nodes of a graph, and of the functions in its library."""
    return chain.from_iterable(node_lists(graph_def))


def variable_nodes(graph_def: Any) -> Nodes:
    """The nodes of a graph that are variables, in its order."""
    return {node.name: node for node in graph_def.node if node.op in HANDLES}


def lookup(nodes: Iterable[Any]) -> Mapping[str, Any]:
    """`by_name` for an attribute of a `tf.Module`, which would track a dict item by item."""
    return MappingProxyType(by_name(nodes))


def op_of(nodes: Mapping[str, Any], source: str) -> str:
    """The operation that an input comes from, "" where it is not among `nodes`."""
    node = nodes.get(node_of(source))
    return str(node.op) if node is not None else ""


def copied(node: Any) -> Any:
    """A copy of a NodeDef."""
    copy = type(node)()
    copy.CopyFrom(node)
    return copy


def dependents(nodes: Iterable[Any], roots: Iterable[str], inputs: Callable[[Any], Iterable[str]]) -> set[str]:
    """The names of `roots` and of all nodes behind them, following what `inputs` says that a node depends on."""
    consumers: dict[str, list[str]] = {}
    for node in nodes:
        for source in inputs(node):
            consumers.setdefault(node_of(source), []).append(node.name)
    found: set[str] = set()
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += consumers.get(name, ())
    return found


def needed(nodes: Mapping[str, Any], outputs: Iterable[str], stops: Iterable[str] = ()) -> set[str]:
    """The names of the nodes that the nodes `outputs` need, themselves included; nothing behind `stops`."""
    found: set[str] = set()
    closed = set(stops)
    pending = list(outputs)
    while pending:
        name = pending.pop()
        if name in found or name not in nodes:
            continue
        found.add(name)
        if name not in closed:
            pending += [node_of(source) for source in nodes[name].input]
    return found


def ordered(
    nodes: Mapping[str, Any], is_back_edge: Callable[[str, str], bool] = lambda _source, _to: False
) -> list[str]:
    """The names so that each node follows its inputs, as far as these are among `nodes`; stable.

    `is_back_edge(source, node)` tells the edges that close a loop. Raises ValueError for another cycle.
    """
    waiting: dict[str, int] = {}
    consumers: dict[str, list[str]] = {name: [] for name in nodes}
    for name, node in nodes.items():
        sources = {node_of(source) for source in node.input}
        known = [source for source in sources if source in nodes and not is_back_edge(source, name)]
        waiting[name] = len(known)
        for source in known:
            consumers[source].append(name)
    ready = deque(name for name, count in waiting.items() if not count)
    found = []
    while ready:
        name = ready.popleft()
        found.append(name)
        for consumer in consumers[name]:
            waiting[consumer] -= 1
            if not waiting[consumer]:
                ready.append(consumer)
    if len(found) < len(nodes):
        raise ValueError(f"the graph has a cycle at {sorted(set(nodes) - set(found))[:3]}")
    return found
