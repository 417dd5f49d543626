"""Which operations may stand within the statement of the operation that takes them."""

from __future__ import annotations

import re

from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, uses
from tf2bridge.decompile.raw_calls import is_several
from tf2bridge.internals.framework import op_def_registry


def nestable(function: Function) -> frozenset[Node]:
    """Returns the nodes with one value, which one node of the same function takes once, and whose order nobody sees."""
    users = uses(function)
    nodes = list(all_nodes(function))
    waited_for = {earlier for node in nodes for earlier in node.after}
    results = {value for node in nodes for body in node.bodies for value in body.results} | set(function.results)
    return frozenset(
        node
        for node in nodes
        if node not in waited_for and _is_pure(node) and _is_taken_once(node, users.get(Value(node, 0), []), results)
    )


def _is_taken_once(node: Node, users: list[Node | None], results: set[Value]) -> bool:
    if len(users) != 1:
        return False
    (user,) = users
    if user is None:
        return Value(node, 0) in results
    if _takes_twice(user, node):
        return False
    return user.owner is node.owner and (not user.bodies or user.op == Kind.BLOCK)


def _takes_twice(user: Node, node: Node) -> bool:
    """Returns True if the expression of a node has an input in several places, so that it would be computed again."""
    template = user.attributes.get("template", "")
    place = user.inputs.index(Value(node, 0)) if template else 0
    return len(re.findall(rf"\b_{place}\b", template)) > 1


def _is_pure(node: Node) -> bool:
    """Returns True if a node does nothing but compute one value."""
    if node.op == Kind.BLOCK:
        return len(node.outputs) == 1
    if node.after or node.bodies or len(node.outputs) != 1:
        return False
    if node.op == Kind.EXPRESSION:
        return True
    if node.op == Kind.LAYER:
        return not node.attributes["is_read"]
    definition = op_def_registry.get(node.op)
    return definition is not None and not definition.is_stateful and not is_several(node) and node.op != "Const"
