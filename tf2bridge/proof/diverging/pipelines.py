"""Finds the nodes that make the elements of an iterator or a queue.

The call that takes an element does not run them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, needed, node_of
from tf2bridge.proof.comparing.changing import TAKES

_HANDING = ("Identity", "Enter", "Switch")


def pipeline(name: str, nodes: Nodes, functions: Mapping[str, Any]) -> dict[str, Any]:
    """Returns name -> node for the nodes that make the elements of an op; nodes of functions are "node/inner node".

    Args:
        name: of an op as IteratorGetNext or QueueDequeueMany.
        nodes: all nodes of the graph.
        functions: name -> FunctionDef.
    """
    making: dict[str, Any] = {}
    pending = [name]
    while pending:
        source = _origin(pending.pop(), nodes)
        makers = [node.name for node in nodes.values() if _fills(node, source, nodes)]
        fresh = needed(nodes, [source, *makers]) - making.keys()
        making |= {name: node for name, node in nodes.items() if name in fresh}
        pending += [name for name in fresh if TAKES.search(nodes[name].op)]
    inside = {place: node for name in [*making] for place, node in _called(name, making[name], functions)}
    return making | inside


def _origin(name: str, nodes: Nodes) -> str:
    """Returns the iterator or queue that an op takes as input."""
    source = node_of(nodes[name].input[0])
    while source in nodes and nodes[source].op in _HANDING:
        source = node_of(nodes[source].input[0])
    return source


def _fills(node: Any, source: str, nodes: Nodes) -> bool:
    """Returns whether a node puts elements into a queue, or a dataset into an iterator."""
    if node.op == "MakeIterator":
        return node_of(node.input[1]) == source
    return "Enqueue" in node.op and bool(data_inputs(node)) and _origin(node.name, nodes) == source


def _called(place: str, node: Any, functions: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields the nodes of the functions that a node calls, each with its path."""
    for value in node.attr.values():
        function = functions.get(value.func.name) if value.WhichOneof("value") == "func" else None
        for inner in function.node_def if function is not None else ():
            yield f"{place}/{inner.name}", inner
            yield from _called(f"{place}/{inner.name}", inner, functions)
