"""A graph as nodes that produce values, with nested functions for loops and conditions: what `decompile` rewrites.

A `Node` belongs to one `Function`. The functions in its `bodies` may use values of the functions around them, as a
closure in Python does. So a loop's invariants and variables are no inputs of the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from typing import Any, NamedTuple

import numpy as np


class Spec(NamedTuple):
    """What is known of a value: `dtype` is a `tf.DType`; `shape` is None if the rank is unknown."""

    dtype: Any
    shape: tuple[int | None, ...] | None


class Value(NamedTuple):
    """One output of a node."""

    node: Node
    port: int

    @property
    def spec(self) -> Spec:
        """What is known of it."""
        return self.node.outputs[self.port]


@dataclass(eq=False)
class Node:
    """An operation.

    Attributes:
        name: Its name in the old graph.
        op: Its type in TensorFlow, or one of the types of `Kind`.
        inputs: The values that it takes.
        attributes: Its attributes as Python values.
        outputs: What is known of each of its values.
        owner: The function that it belongs to.
        bodies: The functions that it calls: condition and body of a loop, both branches of a condition.
        after: Nodes with effects that must run before it.
    """

    name: str
    op: str
    inputs: list[Value]
    attributes: dict[str, Any]
    outputs: list[Spec]
    owner: Function
    bodies: list[Function] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<{self.op} {self.name}>"


class Kind:
    """Types of nodes that are no operations of TensorFlow."""

    PARAMETER = "<parameter>"
    VARIABLE = "<variable>"
    TABLE = "<table>"
    WHILE = "<while>"
    COND = "<cond>"
    CALL = "<call>"
    LAYER = "<layer>"
    EXPRESSION = "<expression>"
    BLOCK = "<block>"


@dataclass(eq=False)
class Function:
    """A function: `results` of its `parameters`, and `effects`, nodes that run though no result needs them."""

    parameters: list[Node] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    effects: list[Node] = field(default_factory=list)

    def nodes(self) -> list[Node]:
        """Returns the nodes of this function that results and effects need, each after what it needs."""
        ordered: list[Node] = []
        seen: set[Node] = set()
        for root in [*(value.node for value in self.results), *self.effects]:
            self._visit(root, seen, ordered)
        return ordered

    def _visit(self, root: Node, seen: set[Node], ordered: list[Node]) -> None:
        """Appends what `root` needs, and `root`, without recursion: graphs are deeper than Python's stack."""
        if root in seen or root.owner is not self:
            return
        seen.add(root)
        stack = [(root, iter(needed_by(root)))]
        while stack:
            node, needs = stack[-1]
            for needed in needs:
                if needed not in seen and needed.owner is self:
                    seen.add(needed)
                    stack.append((needed, iter(needed_by(needed))))
                    break
            else:
                stack.pop()
                ordered.append(node)


def needed_by(node: Node) -> list[Node]:
    """Returns the nodes that must run before a node: effects first, then inputs, then what its bodies capture."""
    captured = [value.node for body in open_bodies(node) for value in captures(body)]
    return [*node.after, *(value.node for value in node.inputs), *captured]


def open_bodies(node: Node) -> list[Function]:
    """Returns the bodies that may use values of the functions around them: that of a block has parameters alone."""
    return [] if node.op == Kind.BLOCK else node.bodies


def captures(function: Function) -> list[Value]:
    """Returns the values of functions around `function` that it uses, also in its bodies."""
    outside = [value for value in function.results if value.node.owner is not function]
    for node in function.nodes():
        inner = [value for body in open_bodies(node) for value in captures(body)]
        outside += [value for value in [*node.inputs, *inner] if value.node.owner is not function]
    return outside


def constant_node(name: str, array: Any, dtype: Any, owner: Function) -> Node:
    """Returns the node of a constant: an array of the `tf.DType` `dtype`."""
    spec = Spec(dtype, tuple(np.shape(array)))
    return Node(name, "Const", [], {"value": np.asarray(array), "dtype": dtype}, [spec], owner)


def array_of(value: Value) -> Any:
    """Returns the array of a constant, or None for any other value."""
    return value.node.attributes["value"] if value.node.op == "Const" else None


def all_nodes(function: Function) -> Iterator[Node]:
    """Yields the nodes of a function and of all bodies in it."""
    for node in function.nodes():
        yield node
        for body in node.bodies:
            yield from all_nodes(body)


def behind(value: Value, with_bodies: bool = False) -> set[Node]:
    """Returns the nodes that a value is computed from.

    Args:
        value: The value.
        with_bodies: Also those in bodies, and those whose values bodies take from around them.
    """
    seen: set[Node] = set()
    pending = [value.node]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [given.node for given in node.inputs]
            for body in node.bodies if with_bodies else ():
                pending += [*all_nodes(body), *(taken.node for taken in captures(body))]
    return seen


def uses(function: Function) -> dict[Value, list[Node | None]]:
    """Returns value -> the nodes that take it, bodies included; None stands for a result of a function."""
    users: dict[Value, list[Node | None]] = {}
    for value in function.results:
        users.setdefault(value, []).append(None)
    for node in all_nodes(function):
        for value in node.inputs:
            users.setdefault(value, []).append(node)
        for body in node.bodies:
            for value in body.results:
                users.setdefault(value, []).append(None)
    return users


def replace(function: Function, replacements: Mapping[Value, Value]) -> None:
    """Lets all users of a value take its replacement, in bodies too, and follows chains of replacements."""

    def latest(value: Value) -> Value:
        while value in replacements:
            value = replacements[value]
        return value

    def rewrite(part: Function, seen: set[Node]) -> None:
        part.results = [latest(value) for value in part.results]
        pending: list[Node] = [*(value.node for value in part.results), *part.effects]
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            node.inputs = [latest(value) for value in node.inputs]
            pending += [value.node for value in node.inputs]
            pending += node.after
            for body in open_bodies(node):
                rewrite(body, seen)

    rewrite(function, set())


def cloned(function: Function) -> Function:
    """Returns a copy of a function, with copies of its nodes and bodies. Attributes are shared."""
    return _Cloner().function(function)


class _Cloner:
    def __init__(self) -> None:
        self._nodes: dict[Node, Node] = {}

    def function(self, function: Function) -> Function:
        copy = Function()
        copy.parameters = [self._node(parameter, copy) for parameter in function.parameters]
        for node in function.nodes():
            self._node(node, copy)
        copy.results = [self._value(value) for value in function.results]
        copy.effects = [self._nodes[node] for node in function.effects]
        return copy

    def _node(self, node: Node, owner: Function) -> Node:
        if node not in self._nodes:
            copy = replaced(node, inputs=[self._value(value) for value in node.inputs], owner=owner)
            copy.attributes, copy.outputs = dict(node.attributes), list(node.outputs)
            copy.after = [self._nodes[earlier] for earlier in node.after]
            copy.bodies = [self.function(body) for body in node.bodies]
            self._nodes[node] = copy
        return self._nodes[node]

    def _value(self, value: Value) -> Value:
        return Value(self._nodes[value.node], value.port)


def adopt(nodes: Iterable[Node], owner: Function) -> None:
    """Makes nodes belong to a function, as when a call is replaced by its body."""
    for node in nodes:
        node.owner = owner
