"""Makes several conditions of one whose parts have nothing in common.

Conditions on the same truth value are one after loading, if none needs what another one gives. The name scopes tell
which operations `tf.cond` of a graph has put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tf2bridge.decompile.ir import Function, Kind, Node, Value, adopt, all_nodes, captures, open_bodies, replace


def with_separate_conditions(function: Function) -> Function:
    """Returns the function, changed: parts of a condition in different name scopes are conditions of their own."""
    replacements: dict[Value, Value] = {}
    parts: dict[Node, list[Node]] = {}
    for node in all_nodes(function):
        groups = _groups(node) if node.op == Kind.COND else []
        if len(groups) > 1:
            parts[node] = [_part(node, group, replacements) for group in groups]
    if parts:
        replace(function, replacements)
        for node in list(all_nodes(function)):
            node.after = _instead(node.after, parts)
            for body in node.bodies:
                body.effects = _instead(body.effects, parts)
        function.effects = _instead(function.effects, parts)
    return function


class _Group:
    """A part of a condition.

    Attributes:
        nodes: The nodes of both branches.
        variables: The variables that these take.
        scope: The innermost name scope that holds these nodes.
    """

    def __init__(self, nodes: set[Node]) -> None:
        self.nodes = nodes
        inside = [inner for node in nodes for inner in (node, *_inner(node))]
        self.variables = {
            value.node for node in inside for value in node.inputs if value.node.op in (Kind.VARIABLE, Kind.TABLE)
        }
        self.scope = _common([node.name.split("/")[:-1] for node in nodes])

    def belongs_to(self, other: _Group) -> bool:
        """Returns True if two parts have nodes or variables in common, or lie in one scope."""
        shortest = min(len(self.scope), len(other.scope))
        is_near = self.scope[:shortest] == other.scope[:shortest]
        return is_near or not (self.nodes.isdisjoint(other.nodes) and self.variables.isdisjoint(other.variables))


def _groups(node: Node) -> list[_Group]:
    """Returns the parts of a condition, each with a result: one, if it cannot be taken apart."""
    bodies = node.bodies
    effects = [{effect, *_behind(effect)} for body in bodies for effect in body.effects]
    results = [
        {inner for value in pair if value.node.owner in bodies for inner in (value.node, *_behind(value.node))}
        for pair in zip(*(body.results for body in bodies), strict=True)
    ]
    if not all(results) or any(node.op == Kind.PARAMETER for part in results for node in part):
        return []
    groups: list[_Group] = []
    for nodes in (*results, *effects):
        group = _Group(nodes)
        for other in [other for other in groups if group.belongs_to(other)]:
            groups.remove(other)
            group = _Group(other.nodes | group.nodes)
        groups.append(group)
    return groups if all(any(part <= group.nodes for part in results) for group in groups) else []


def _behind(node: Node) -> set[Node]:
    """Returns the nodes of the same function that must run before a node."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        current = pending.pop()
        taken = [value.node for value in current.inputs] + current.after
        taken += [value.node for body in open_bodies(current) for value in captures(body)]
        new = {other for other in taken if other.owner is node.owner} - seen
        seen |= new
        pending += new
    return seen


def _part(node: Node, group: _Group, replacements: dict[Value, Value]) -> Node:
    """Returns the condition of a group, and adds what its results stand for to `replacements`."""
    ports = [
        port
        for port, pair in enumerate(zip(*(body.results for body in node.bodies), strict=True))
        if any(value.node in group.nodes for value in pair)
    ]
    name = "/".join([*group.scope, "Merge"])
    outputs = [node.outputs[port] for port in ports]
    part = Node(name, node.op, list(node.inputs), dict(node.attributes), outputs, node.owner, after=list(node.after))
    for body in node.bodies:
        own = Function()
        own.results = [body.results[port] for port in ports]
        own.effects = [effect for effect in body.effects if effect in group.nodes]
        adopt([inner for inner in group.nodes if inner.owner is body], own)
        part.bodies.append(own)
    replacements.update({Value(node, port): Value(part, number) for number, port in enumerate(ports)})
    return part


def _instead(nodes: Sequence[Node], parts: dict[Node, list[Node]]) -> list[Node]:
    return [part for node in nodes for part in parts.get(node, [node])]


def _inner(node: Node) -> Iterable[Node]:
    return (inner for body in node.bodies for inner in all_nodes(body))


def _common(scopes: Sequence[Sequence[str]]) -> list[str]:
    """Returns the first names that all scopes have in common."""
    return [names[0] for names in _while_same(zip(*scopes, strict=False))]


def _while_same(levels: Iterable[Sequence[str]]) -> Iterable[Sequence[str]]:
    for names in levels:
        if len(set(names)) > 1:
            return
        yield names
