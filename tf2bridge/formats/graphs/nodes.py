"""Follows the nodes and edges of a GraphDef. "a" and "a:0" are the same endpoint; "^a" is a control input."""

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
"""Operations that make a reference variable or a resource variable."""


def node_of(source: str) -> str:
    """Returns the name of the node that an input comes from."""
    return source.partition(":")[0].removeprefix("^")


def is_control(source: str) -> bool:
    """Returns whether an input is a control input: it only says that another node runs first."""
    return source.startswith("^")


def endpoint(source: str) -> str:
    """Returns a data input in its full form: "a" -> "a:0"."""
    return source if ":" in source else f"{source}:0"


def data_inputs(node: Any) -> list[str]:
    """Returns the endpoints that a node reads."""
    return [endpoint(source) for source in node.input if not is_control(source)]


def by_name(nodes: Iterable[Any]) -> Nodes:
    """Returns name -> node."""
    return {node.name: node for node in nodes}


def node_lists(graph_def: Any) -> Iterator[Any]:
    """Yields the list of a graph's own nodes, and that of each function in its library."""
    yield graph_def.node
    for function in graph_def.library.function:
        yield function.node_def


def all_nodes(graph_def: Any) -> Iterator[Any]:
    """Yields all nodes of a graph, and of the functions in its library."""
    return chain.from_iterable(node_lists(graph_def))


def variable_nodes(graph_def: Any) -> Nodes:
    """Returns name -> node of the variables of a graph, in the order of the graph."""
    return {node.name: node for node in graph_def.node if node.op in HANDLES}


def lookup(nodes: Iterable[Any]) -> Mapping[str, Any]:
    """Returns a read-only mapping of name -> node, for an attribute of a `tf.Module`, which would track a dict."""
    return MappingProxyType(by_name(nodes))


def op_of(nodes: Mapping[str, Any], source: str) -> str:
    """Returns the operation that an input comes from, or "" if its node is not among `nodes`."""
    node = nodes.get(node_of(source))
    return str(node.op) if node is not None else ""


def copied(node: Any) -> Any:
    """Returns a copy of a NodeDef."""
    copy = type(node)()
    copy.CopyFrom(node)
    return copy


def dependents(nodes: Iterable[Any], roots: Iterable[str], inputs: Callable[[Any], Iterable[str]]) -> set[str]:
    """Returns the names of `roots` and of all nodes that depend on them; `inputs` returns the inputs of a node."""
    consumers: dict[str, list[str]] = {}
    for node in nodes:
        for source in inputs(node):
            consumers.setdefault(node_of(source), []).append(node.name)
    reached: set[str] = set()
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += consumers.get(name, ())
    return reached


def needed(nodes: Mapping[str, Any], outputs: Iterable[str], stops: Iterable[str] = ()) -> set[str]:
    """Returns the names of the nodes `outputs` and of all nodes that they need. Inputs of `stops` are not followed."""
    names: set[str] = set()
    closed = set(stops)
    pending = list(outputs)
    while pending:
        name = pending.pop()
        if name in names or name not in nodes:
            continue
        names.add(name)
        if name not in closed:
            pending += [node_of(source) for source in nodes[name].input]
    return names


def ordered(
    nodes: Mapping[str, Any], is_back_edge: Callable[[str, str], bool] = lambda _source, _to: False
) -> list[str]:
    """Returns the names of nodes in a stable order in which each node follows its inputs.

    `is_back_edge(source, node)` returns whether an edge closes a loop. Raises ValueError for another cycle.
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
    names = []
    while ready:
        name = ready.popleft()
        names.append(name)
        for consumer in consumers[name]:
            waiting[consumer] -= 1
            if not waiting[consumer]:
                ready.append(consumer)
    if len(names) < len(nodes):
        raise ValueError(f"the graph has a cycle at {sorted(set(nodes) - set(names))[:3]}")
    return names
