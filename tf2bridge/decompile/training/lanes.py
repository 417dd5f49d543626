"""Updates that are the same for many variables, such as the steps of an optimizer, as one loop over the variables."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tf2bridge.decompile.ir import Function, Kind, Node, Value, adopt, needed_by
from tf2bridge.decompile.training.gradients import DENSE
from tf2bridge.decompile.training.lists import LIST
from tf2bridge.internals.framework import op_def_registry

EACH = "<each>"
"""The type of a node that runs its body for each item of lists. Its attribute "leaves" has a `Leaf` for each list."""
_LEAVES = (Kind.VARIABLE, Kind.PARAMETER, LIST)


@dataclass(frozen=True)
class Leaf:
    """What one variable of a loop stands for.

    Attributes:
        role: The name of the input that takes it.
        items: What it is in each round: a variable, or an item of a list. The body has the first one.
    """

    role: str
    items: tuple[Node | Item, ...]


@dataclass
class _Lane:
    """An update with the nodes that only it needs.

    Attributes:
        root: The update.
        members: These nodes, each after what it needs.
        leaves: The variables and gradients that it takes, with the role of each.
        skeleton: The update with numbers in place of leaves.
    """

    root: Node
    members: list[Node]
    leaves: dict[Any, str] = field(default_factory=dict)
    skeleton: Any = None


class Item(NamedTuple):
    """A tensor of a list.

    Attributes:
        owner: The number of a loss, for its gradients; or the node of type `LIST` that gives the list.
        place: Where it is in the list.
    """

    owner: int | Node
    place: int


def leaf_of(value: Value) -> tuple[Node | Item, str] | None:
    """Returns the variable or the item of a list that a value is, and the part of a gradient that it is."""
    node = value.node
    if node.op == Kind.VARIABLE:
        return node, DENSE
    if node.op == Kind.PARAMETER and "item" in node.attributes:
        return node.attributes["item"], node.attributes["part"]
    if node.op == LIST and node.attributes["several"]:
        part: str = node.inputs[value.port].node.attributes.get("part", DENSE)
        return Item(node, value.port), part
    return None


def with_loops(function: Function, order: Mapping[str, int]) -> Function:
    """Returns the function, changed: a node of type `EACH` stands for updates that are the same but for variables.

    Args:
        function: The updates. A parameter that is a gradient has the attributes "item" and "part".
        order: The name of each variable -> its place.
    """
    nodes = function.nodes()
    takers: dict[Node, set[Node]] = {}
    for node in nodes:
        for needed in needed_by(node):
            takers.setdefault(needed, set()).add(node)
    effects = set(function.effects)
    places = {node: place for place, node in enumerate(nodes)}
    groups: dict[Any, list[_Lane]] = {}
    for node in nodes:
        if node.inputs and node.inputs[0].node.op == Kind.VARIABLE and not node.outputs:
            lane = _Lane(node, _members(places, node, takers, effects))
            lane.skeleton = _skeleton(Value(node, 0), lane, node.op)
            groups.setdefault(lane.skeleton, []).append(lane)
    for lanes in groups.values():
        if len(lanes) > 1 and not _depend(lanes):
            lanes.sort(key=lambda lane: order[lane.root.inputs[0].node.name])
            _replace(function, lanes)
    return function


def _members(
    places: Mapping[Node, int], root: Node, takers: Mapping[Node, set[Node]], effects: set[Node]
) -> list[Node]:
    """Returns the nodes that only `root` needs, and `root` at the end.

    Args:
        places: Each node -> its place in the order of the graph.
        root: The node.
        takers: Each node -> the nodes that need it.
        effects: Nodes that run in any case.
    """
    members = {root}
    nodes = {places[node]: node for node in needed_by(root)}
    pending = [-place for place in nodes]
    heapq.heapify(pending)
    while pending:  # the last node first: what needs it is decided by then
        node = nodes[-heapq.heappop(pending)]
        is_plain = node.op not in (*_LEAVES, "Const", EACH) and not node.bodies and node not in effects
        if is_plain and node.outputs and takers[node] <= members:
            members.add(node)
            for needed in needed_by(node):
                if places[needed] not in nodes:
                    nodes[places[needed]] = needed
                    heapq.heappush(pending, -places[needed])
    return sorted(members, key=places.__getitem__)


def _skeleton(value: Value, lane: _Lane, role: str) -> Any:
    node = value.node
    if node in lane.members:
        attributes = tuple(sorted((name, repr(item)) for name, item in node.attributes.items()))
        roles = _roles(node)
        inputs = [_skeleton(given, lane, role) for given, role in zip(node.inputs, roles, strict=True)]
        waits = tuple(lane.members.index(earlier) for earlier in node.after if earlier in lane.members)
        return node.op, value.port, attributes, tuple(inputs), waits
    if node.op == "Const":
        array = np.asarray(node.attributes["value"])
        return "Const", str(array.dtype), array.shape, array.tobytes()
    leaf = leaf_of(value)
    if leaf is None:
        return id(node), value.port
    key, part = leaf
    lane.leaves.setdefault(key, role)
    return list(lane.leaves).index(key), part


def _roles(node: Node) -> list[str]:
    """Returns a name for each input of a node."""
    definition = op_def_registry.get(node.op)
    names = [argument.name for argument in definition.input_arg] if definition is not None else []
    return names if len(names) == len(node.inputs) else [""] * len(node.inputs)


def _depend(lanes: Sequence[_Lane]) -> bool:
    """Returns True if an update needs another one of them."""
    roots = {lane.root for lane in lanes}
    seen: set[Node] = set()
    pending = [needed for lane in lanes for needed in needed_by(lane.root)]
    while pending:
        node = pending.pop()
        if node in roots:
            return True
        if node not in seen:
            seen.add(node)
            pending += needed_by(node)
    return False


def _replace(function: Function, lanes: Sequence[_Lane]) -> None:
    """Puts one loop in the place of updates."""
    first = lanes[0]
    columns = list(zip(*(lane.leaves for lane in lanes), strict=True))
    leaves = [
        Leaf(role, items) for role, items in zip(first.leaves.values(), columns, strict=True) if len(set(items)) > 1
    ]
    body = Function(effects=[first.root])
    adopt(first.members, body)
    inside = {node for lane in lanes for node in lane.members}
    after = [earlier for lane in lanes for node in lane.members for earlier in node.after if earlier not in inside]
    loop = Node(first.root.name, EACH, [], {"leaves": leaves}, [], function, [body], list(dict.fromkeys(after)))
    for node in first.members:
        node.after = [earlier for earlier in node.after if earlier in inside]
    roots = {lane.root for lane in lanes}
    for node in function.nodes():
        node.after = _merged(node.after, roots, loop)
    function.effects = _merged(function.effects, roots, loop)


def _merged(nodes: Sequence[Node], roots: set[Node], loop: Node) -> list[Node]:
    return list(dict.fromkeys(loop if node in roots else node for node in nodes))
