"""Puts the nodes of a name scope into a block of their own, from the innermost scopes outwards."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tf2bridge.decompile.idioms.layer import scope_of
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, array_of, replace, uses

_FREE = (Kind.PARAMETER, Kind.VARIABLE, Kind.TABLE, "Const", "ReadVariableOp")
"""Types of nodes that belong to no scope: they go where they are used."""
LARGEST_SHARED = 64
"""Elements of a constant that may stand in two blocks."""


def with_blocks(function: Function, without: Collection[str]) -> Function:
    """Returns the function, changed: a scope whose nodes can stand together is a node of type `Kind.BLOCK`.

    A block has the attribute "scope", and a body with its inputs as parameters.

    Args:
        function: The graph, which must be a copy of its own.
        without: Scopes that stay as they are.
    """
    places = {node: scope_of(node.name) for node in function.nodes() if node.op not in _FREE}
    levels = {scope[:end] for scope in places.values() for end in _ends(scope)}
    for scope in sorted(levels, key=lambda scope: (-scope.count("/"), scope)):
        members = [node for node in function.nodes() if places.get(node) == scope]
        block = None
        if len(members) > 1 and scope not in without and _is_plain(function, members) and _is_convex(function, members):
            block = _block(function, members, scope)
        for node in members if block is None else [block]:
            places[node] = scope_of(scope)
    return function


def _ends(scope: str) -> list[int]:
    """Returns where each part of a scope ends: the lengths of the scopes around it and of itself."""
    return [place for place, char in enumerate(scope) if char == "/"] + ([len(scope)] if scope else [])


def _owns_layers(function: Function, inside: Collection[Node]) -> bool:
    """Returns True if no layer of these nodes is called, or has its variables read, anywhere else."""
    layers = {node.attributes["layer"] for node in inside if node.op == Kind.LAYER}
    own = all(not node.attributes["is_read"] for node in inside if node.op == Kind.LAYER)
    others = (node for node in all_nodes(function) if node.op == Kind.LAYER and node not in inside)
    return own and not any(node.attributes["layer"] in layers for node in others)


def _is_plain(function: Function, members: Sequence[Node]) -> bool:
    """Returns True if the nodes have no order of effects and no inner functions but those of blocks."""
    waited_for = {earlier for node in function.nodes() for earlier in node.after}
    return not any(
        node.after or node in waited_for or node in function.effects or (node.bodies and node.op != Kind.BLOCK)
        for node in members
    )


def _is_convex(function: Function, members: Sequence[Node]) -> bool:
    """Returns True if no path leaves the nodes and comes back."""
    inside: set[Node] = set(members)
    behind: set[Node] = set()
    for node in function.nodes():
        sources = {value.node for value in node.inputs}
        sources |= {value.node for body in node.bodies for inner in all_nodes(body) for value in inner.inputs}
        if node in inside:
            if sources & behind:
                return False
        elif sources & (inside | behind):
            behind.add(node)
    return True


def _block(function: Function, members: Sequence[Node], scope: str) -> Node | None:
    """Returns the block that now stands for the nodes, or None if it cannot hold what they need."""
    inside = set(members)
    for node in members:
        inside |= {inner for body in node.bodies for inner in all_nodes(body)}
    if not _owns_layers(function, inside):
        return None
    users = uses(function)
    taken = dict.fromkeys(value for node in members for value in node.inputs if value.node not in inside)
    reads = [value.node for value in taken if value.node.op == "ReadVariableOp"]
    held = {*reads, *(read.inputs[0].node for read in reads)}
    held |= {value.node for value in taken if value.node.op == Kind.VARIABLE}
    if any(value.node.op == Kind.TABLE for value in taken):
        return None
    for value, takers in users.items():
        if value.node in held and not all(taker is not None and (taker in inside or taker in held) for taker in takers):
            return None
        if value in taken and _is_large_constant(value) and not all(taker in inside for taker in takers):
            return None
    body, inputs = Function(), [value for value in taken if value.node not in held and value.node.op != "Const"]
    moved = {value: _parameter(value, body) for value in inputs}
    moved |= {value: _copied(value, body) for value in taken if value.node.op == "Const"}
    results = [value for value, takers in users.items() if value.node in members and not inside.issuperset(takers)]
    block = Node(scope, Kind.BLOCK, inputs, {"scope": scope}, [value.spec for value in results], function, [body])
    for node in (*members, *held):
        node.owner = body
        node.inputs = [moved.get(value, value) for value in node.inputs]
    replace(function, {value: Value(block, port) for port, value in enumerate(results)})
    body.parameters = [moved[value].node for value in inputs]
    body.results = results
    return block


def _is_large_constant(value: Value) -> bool:
    array = array_of(value)
    return array is not None and array.size > LARGEST_SHARED


def _parameter(value: Value, body: Function) -> Value:
    return Value(Node(value.node.name, Kind.PARAMETER, [], {}, [value.spec], body), 0)


def _copied(value: Value, body: Function) -> Value:
    node = value.node
    return Value(Node(node.name, "Const", [], node.attributes, node.outputs, body), 0)
