"""What is left where effects were that a call of a layer has now."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tf2bridge.decompile.idioms.layer import INSTEAD_OF
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, replace
from tf2bridge.decompile.unused_results import replace_nodes
from tf2bridge.internals.framework import op_def_registry


def with_moved_effects(function: Function, replacements: Mapping[Value, Value]) -> None:
    """Lets calls of layers stand for values, and for the nodes with effects that are named at the calls.

    Conditions in which nothing is left go.

    Args:
        function: The graph, which is changed.
        replacements: Value -> what stands for it.
    """
    calls = [new.node for new in replacements.values()]
    instead = {old: call for call in calls for old in call.attributes.get(INSTEAD_OF, ())}
    replace_nodes(function, instead, replacements)
    if not instead:
        return
    moved = set(instead.values())
    for node in all_nodes(function):
        node.after = list(dict.fromkeys(instead.get(earlier, earlier) for earlier in node.after))  # new nodes, too
        for body in node.bodies:
            body.effects = [effect for effect in body.effects if effect not in moved]
            for inner in body.nodes():
                inner.after = [earlier for earlier in inner.after if earlier not in moved]
    function.effects = list(dict.fromkeys([*function.effects, *moved]))
    _without_waits(function, moved)
    idle = [node for node in function.nodes() if node.op == Kind.COND and not any(map(_has_effects, node.bodies))]
    for node in function.nodes():
        node.after = [earlier for earlier in node.after if earlier not in idle]
    function.effects = [effect for effect in function.effects if effect not in idle]
    replace(function, {value: given for node in idle for value, given in _results(node).items()})


def _without_waits(function: Function, calls: Collection[Node]) -> None:
    """Lets nodes that take the result of a call not wait for it as well, and takes out copies of such a result."""
    for node in all_nodes(function):
        taken = {value.node for value in node.inputs if value.node in calls}
        node.after = [earlier for earlier in node.after if earlier not in taken]
    copies = (node for node in all_nodes(function) if node.op == "Identity" and not node.after)
    replace(function, {Value(node, 0): node.inputs[0] for node in copies if node.inputs[0].node in calls})


def _has_effects(body: Function) -> bool:
    return bool(body.effects) or any(_is_stateful(node) for node in all_nodes(body))


def _is_stateful(node: Node) -> bool:
    if node.op == "ReadVariableOp":
        return False
    definition = op_def_registry.get(node.op)
    return node.op == Kind.CALL or (definition is not None and definition.is_stateful)


def _results(node: Node) -> dict[Value, Value]:
    """Returns the results of a condition that are the same in both branches -> what they are."""
    pairs = zip(*(map(_without_copies, body.results) for body in node.bodies), strict=True)
    return {
        Value(node, port): first
        for port, (first, second) in enumerate(pairs)
        if first == second and first.node.owner is node.owner
    }


def _without_copies(value: Value) -> Value:
    while value.node.op == "Identity" and not value.node.after:
        value = value.node.inputs[0]
    return value
