"""Puts the nodes of name scopes into blocks, and takes the contents of a block out again."""

from __future__ import annotations

from collections.abc import Iterable

from tf2bridge.decompile.ir import Function, Kind, Node, Value, adopt, all_nodes, open_bodies, replace
from tf2bridge.decompile.structure.scopes import LARGEST_SHARED, Scopes, holds


def with_blocks(function: Function) -> Function:
    """Returns the function, changed: the nodes of each chosen scope are in the body of a node of type `Kind.BLOCK`.

    A block has the attribute "scope", and a body with its inputs as parameters, which uses no value around it.

    Args:
        function: The graph, which must be a copy of its own.
    """
    scopes = Scopes(function)
    if scopes.chosen:
        _Builder(function, scopes).build()
    return function


class _Builder:
    def __init__(self, function: Function, scopes: Scopes) -> None:
        self._function = function
        self._nodes = function.nodes()
        self._homes = {node: scopes.innermost(node) for node in self._nodes}
        self._outer = {scope: scopes.around(scope.rpartition("/")[0]) for scope in scopes.chosen}
        self._blocks = {scope: Node(scope, Kind.BLOCK, [], {"scope": scope}, [], function) for scope in scopes.chosen}
        for scope, block in self._blocks.items():
            block.bodies = [Function()]
            self._homes[block] = self._outer[scope]
        self._given: dict[tuple[Value, str], Value] = {}
        self._results: dict[Value, Value] = {}

    def build(self) -> None:
        for node in self._nodes:
            scope = self._homes[node]
            node.inputs = [self._value(value, scope) for value in node.inputs]
            node.after = [self._standing_for(earlier, scope) for earlier in node.after]
            for inner in (part for body in open_bodies(node) for part in all_nodes(body)):
                inner.inputs = [self._value(value, scope) for value in inner.inputs]
            for body in _bodies(node):
                body.results = [self._value(value, scope) for value in body.results]
        self._function.results = [self._value(value, "") for value in self._function.results]
        for node, scope in self._homes.items():
            if scope:
                node.owner = self._blocks[scope].bodies[0]

    def _value(self, value: Value, scope: str) -> Value:
        """Returns what stands for a value in the function of a scope."""
        if value.node not in self._homes:  # of a function within a node
            return value
        node = value.node
        if node.op == "Const" and node.attributes["value"].size <= LARGEST_SHARED:
            return self._copied(value, scope)
        while not holds(self._homes[value.node], scope):
            value = self._result(value)
        return self._parameter(value, scope)

    def _copied(self, value: Value, scope: str) -> Value:
        if self._homes[value.node] == scope:
            return value
        if (value, scope) not in self._given:
            node = value.node
            owner = self._blocks[scope].bodies[0] if scope else self._function
            copy = Node(node.name, "Const", [], node.attributes, node.outputs, owner)
            self._given[value, scope] = Value(copy, 0)
        return self._given[value, scope]

    def _result(self, value: Value) -> Value:
        """Returns the output of a block for a value in its body."""
        if value not in self._results:
            block = self._blocks[self._homes[value.node]]
            self._results[value] = Value(block, len(block.outputs))
            block.bodies[0].results.append(value)
            block.outputs.append(value.spec)
        return self._results[value]

    def _parameter(self, value: Value, scope: str) -> Value:
        """Returns the parameter of a scope's body for a value around it."""
        if self._homes[value.node] == scope:
            return value
        if (value, scope) not in self._given:
            block = self._blocks[scope]
            block.inputs.append(self._parameter(value, self._outer[scope]))
            parameter = Node(value.node.name, Kind.PARAMETER, [], {}, [value.spec], block.bodies[0])
            block.bodies[0].parameters.append(parameter)
            self._given[value, scope] = Value(parameter, 0)
        return self._given[value, scope]

    def _standing_for(self, node: Node, scope: str) -> Node:
        """Returns the block in the function of a scope that holds a node, or the node itself."""
        while self._homes[node] != scope:
            node = self._blocks[self._homes[node]]
        return node


def _bodies(node: Node) -> list[Function]:
    inner = [body for part in open_bodies(node) for nested in all_nodes(part) for body in open_bodies(nested)]
    return [*open_bodies(node), *inner]


def dissolve(blocks: Iterable[Node]) -> None:
    """Puts the contents of blocks in the places of the blocks."""
    by_owner: dict[Function, list[Node]] = {}
    for block in blocks:
        by_owner.setdefault(block.owner, []).append(block)
    for owner, inner in by_owner.items():
        _dissolve_in(owner, inner)


def _dissolve_in(function: Function, blocks: Iterable[Node]) -> None:
    replacements: dict[Value, Value] = {}
    read: dict[Node, list[Node]] = {}
    for block in blocks:
        (body,) = block.bodies
        nodes = body.nodes()
        read[block] = [node for node in nodes if _is_read(node)]
        replacements |= {Value(node, 0): value for node, value in zip(body.parameters, block.inputs, strict=True)}
        replacements |= {Value(block, port): value for port, value in enumerate(body.results)}
        adopt(nodes, function)
    for node in function.nodes():
        node.after = [part for earlier in node.after for part in read.get(earlier, [earlier])]
    replace(function, replacements)


def _is_read(node: Node) -> bool:
    """Returns True if operations elsewhere read variables of a layer that a node calls."""
    if node.op == Kind.BLOCK:
        return any(_is_read(inner) for inner in node.bodies[0].nodes())
    return node.op == Kind.LAYER and bool(node.attributes["is_read"])


def with_ordered_inputs(block: Node) -> None:
    """Puts the inputs of a block in the order in which its body uses them."""
    (body,) = block.bodies
    taken = [*(value for node in body.nodes() for value in node.inputs), *body.results]
    used = dict.fromkeys(value.node for value in taken if value.node.op == Kind.PARAMETER)
    given = dict(zip(body.parameters, block.inputs, strict=True))
    body.parameters = list(used)
    block.inputs = [given[parameter] for parameter in used]
