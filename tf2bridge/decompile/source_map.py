"""Which lines of `model.py` came from which nodes of the old graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tf2bridge.decompile.ir import Function, Kind, Node
from tf2bridge.decompile.lines import Line


class OldNode(NamedTuple):
    """A node of the graph as it was.

    Attributes:
        op: Its type.
        users: The names of the nodes that take its values.
    """

    op: str
    users: list[str]


def old_nodes(function: Function) -> dict[str, OldNode]:
    """Returns the name of each node of a graph and of its nested functions -> the node, users after what they use."""
    nodes: dict[str, OldNode] = {}
    copies = {value.node for value in function.results if value.node.op == "Identity"}  # a traced function adds these
    for node in _bodies_first(function):
        if node in copies:
            continue
        nodes.setdefault(node.name, OldNode(node.op.strip("<>"), []))
        results = (value for body in node.bodies for value in body.results)
        for source in dict.fromkeys(value.node for value in (*node.inputs, *results)):
            if source.name in nodes:
                nodes[source.name].users.append(node.name)
    return nodes


def _bodies_first(function: Function) -> Iterator[Node]:
    for node in function.nodes():
        for body in node.bodies:
            yield from (inner for inner in _bodies_first(body) if inner.op != Kind.PARAMETER)
        yield node


def lines_of_nodes(lines: Sequence[Line], nodes: Mapping[str, OldNode]) -> dict[str, list[int]]:
    """Returns the name of each node -> the numbers of its lines, from 1.

    A node without a line of its own, such as a part of a layer, a copy, or a constant, has the lines of its users.

    Args:
        lines: The lines of `model.py`.
        nodes: The nodes of the graph.
    """
    own: dict[str, dict[int, None]] = {}
    for number, line in enumerate(lines, 1):
        for name in line.nodes:
            own.setdefault(name, {})[number] = None
    numbers: dict[str, list[int]] = {}
    for name, node in reversed(list(nodes.items())):
        if name in own:
            numbers[name] = list(own[name])
        else:
            numbers[name] = sorted({number for user in node.users for number in numbers.get(user, ())})
    return numbers
