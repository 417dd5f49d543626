"""Variables of loops and results of conditions that nothing uses.

A graph that TensorFlow 2 differentiates keeps what gradients need in lists, which grow in each step of a loop. Where
gradients are computed elsewhere, as in a written training step, nothing takes these lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, replace, uses


def with_used_results(function: Function) -> Function:
    """Returns the function, changed: loops have no variables, and conditions no results, that nothing uses."""
    while kept := _kept(function):
        shorter = {node: with_places(node, places) for node, places in kept.items()}
        values = {
            Value(node, place): Value(shorter[node], number)
            for node, places in kept.items()
            for number, place in enumerate(places)
        }
        replace_nodes(function, shorter, values)
    return function


def with_places(node: Node, places: Sequence[int]) -> Node:
    """Returns a loop or a condition with some of its variables or results alone; its bodies are changed."""
    outputs = [node.outputs[place] for place in places]
    inputs = node.inputs
    if node.op == Kind.WHILE:
        inputs = [node.inputs[place] for place in places]
        for body in node.bodies:
            body.parameters = [body.parameters[place] for place in places]
    for body in node.bodies[1:] if node.op == Kind.WHILE else node.bodies:
        body.results = [body.results[place] for place in places]
    return Node(node.name, node.op, inputs, node.attributes, outputs, node.owner, node.bodies, node.after)


def replace_nodes(function: Function, shorter: Mapping[Node, Node], values: Mapping[Value, Value]) -> None:
    """Puts nodes in the place of those that `with_places` has shortened.

    Args:
        function: The function.
        shorter: A node -> the one with some of its results.
        values: The values to replace.
    """
    nodes = [*all_nodes(function), *shorter.values()]
    for node in nodes:
        node.after = [shorter.get(earlier, earlier) for earlier in node.after]
    for part in (function, *(body for node in nodes for body in node.bodies)):
        part.effects = [shorter.get(effect, effect) for effect in part.effects]
    replace(function, values)


def _kept(function: Function) -> dict[Node, list[int]]:
    """Returns each loop or condition that has results which nothing uses -> the numbers of the others."""
    users = uses(function)
    kept = {}
    for node in all_nodes(function):
        if node.op in (Kind.WHILE, Kind.COND):
            used = {place for place in range(len(node.outputs)) if Value(node, place) in users}
            places = sorted(_needed(node, used) if node.op == Kind.WHILE else used) or [0]
            if len(places) < len(node.outputs):
                kept[node] = places
    return kept


def _needed(loop: Node, used: set[int]) -> set[int]:
    """Returns the variables of a loop that its condition, its effects or the used results need, from step to step."""
    condition, body = loop.bodies
    needed = used | _parameters(condition)
    results = body.results
    while True:
        body.results = [results[place] for place in sorted(needed)]
        further = needed | _parameters(body)
        body.results = results
        if further == needed:
            return needed
        needed = further


def _parameters(function: Function) -> set[int]:
    """Returns the numbers of the parameters that a function needs."""
    nodes = set(function.nodes())
    return {place for place, parameter in enumerate(function.parameters) if parameter in nodes}
