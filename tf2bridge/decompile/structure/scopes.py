"""Chooses the name scopes whose nodes can stand together in a class."""

from __future__ import annotations

import graphlib
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence

from tf2bridge.decompile.idioms.layer import Layer, scope_of
from tf2bridge.decompile.ir import Function, Kind, Node, all_nodes, behind, needed_by

_SOURCES = (Kind.PARAMETER, Kind.VARIABLE, Kind.TABLE, "Const")
LARGEST_SHARED = 64
"""Elements of a constant that may stand in two classes."""
_DEEPEST = 20
"""Scopes within scopes that are looked at."""
_ROUNDS = 50
"""Circles of scopes that are opened one by one."""


class Scopes:
    """The chosen name scopes of a function, and the innermost one that each node is for.

    No path between nodes leaves a chosen scope and comes back, also if all others are one node each.

    Attributes:
        chosen: The scopes.
    """

    def __init__(self, function: Function) -> None:
        """Chooses the scopes of a function."""
        self._places = _places(function)
        self._barred = _barred(function, self._places)
        self.chosen: set[str] = set()
        pending = [("", [node for node in function.nodes() if node.op not in _SOURCES])]
        while pending:
            outer, nodes = pending.pop()
            parts = self._parts(outer, nodes)
            if len(parts) == 1:
                self.chosen.discard(outer)
            for scope, members in parts.items():
                if isinstance(scope, str) and len(members) > 1:
                    self.chosen.add(scope)
                    pending.append((scope, members))

    def innermost(self, node: Node) -> str:
        """Returns the innermost chosen scope that a node is for; empty if there is none."""
        return self.around(self._places[node])

    def around(self, scope: str) -> str:
        """Returns the innermost chosen scope that is `scope` or holds it; empty if there is none."""
        return next((level for level in reversed(_levels(scope)) if level in self.chosen), "")

    def _parts(self, outer: str, nodes: list[Node]) -> Mapping[Hashable, list[Node]]:
        """Returns the outermost scopes within `outer`, and nodes of none of them, -> their nodes. No circle is left."""
        for number in range(_ROUNDS + 1):
            keys = {node: self._outermost(outer, node) for node in nodes}
            parts: dict[Hashable, list[Node]] = {}
            for node, key in keys.items():
                parts.setdefault(key, []).append(node)
            circle = _circle(keys)
            if not circle:
                return parts
            scopes = [part for part in circle if isinstance(part, str)]
            if number < _ROUNDS:
                scopes = [min(scopes, key=lambda scope: (_is_convex(parts[scope], nodes), len(parts[scope])))]
            self._barred.update(scopes if number < _ROUNDS else (key for key in parts if isinstance(key, str)))
        return {node: [node] for node in nodes}

    def _outermost(self, outer: str, node: Node) -> Hashable:
        levels = _levels(self._places[node])
        inner = levels[levels.index(outer) + 1 :] if outer else levels
        return next((scope for scope in inner if scope not in self._barred), node)


def _places(function: Function) -> dict[Node, str]:
    """Returns the scope that each node is for.

    It is the node's own, or, if no input of the function is needed, the innermost one that holds all its users. A part
    of what several scopes have in common is taken where that is, and given to them.
    """
    nodes = function.nodes()
    users: dict[Node, list[Node]] = {}
    for node in nodes:
        for needed in needed_by(node):
            users.setdefault(needed, []).append(node)
    free: set[Node] = set()
    effects = set(function.effects)
    for node in nodes:
        is_alone = not node.bodies and node.op != Kind.LAYER and node not in effects
        if is_alone and node.op != Kind.PARAMETER and all(value.node in free for value in node.inputs):
            free.add(node)
    results = effects | {value.node for value in function.results}
    fixed = {node: "/".join(node.name.split("/")[:-1][:_DEEPEST]) for node in nodes if node not in free}
    fixed |= {node: "" for node in nodes if node.op in (Kind.PARAMETER, Kind.TABLE) or (node in free & results)}
    places = _around_users(nodes, users, fixed)
    for node in free - fixed.keys():
        outside = [places[value.node] for value in node.inputs if _is_kept(value.node)]
        if not _is_kept(node) and outside and any(_between(place, places[node]) for place in outside):
            fixed[node] = _common(outside)
    return _around_users(nodes, users, fixed)


def _around_users(
    nodes: Sequence[Node], users: Mapping[Node, Sequence[Node]], fixed: Mapping[Node, str]
) -> dict[Node, str]:
    """Returns the scope of each node: a fixed one, or the innermost one that holds all its users."""
    places: dict[Node, str] = {}
    for node in reversed(nodes):
        places[node] = fixed[node] if node in fixed else _common([places[user] for user in users.get(node, ())])
    return places


def _barred(function: Function, places: Mapping[Node, str]) -> set[str]:
    """Returns the scopes that cannot be classes: what others use, or an order of effects, is in the way."""
    barred: set[str] = set()
    layers: dict[object, list[str]] = {}
    owners: dict[str, str] = {}
    effects = set(function.effects)
    waited_for = {earlier for node in function.nodes() for earlier in node.after}
    in_turn = _in_turn(function, waited_for)
    for node in function.nodes():
        place = places[node]
        waits = any(earlier.op != Kind.LAYER for earlier in node.after)
        has_effect = node in effects - in_turn or (node in waited_for and node.op != Kind.LAYER)
        if waits or has_effect or node.bodies or any(value.node.op == Kind.TABLE for value in node.inputs):
            barred.update(_levels(place))
        for value in node.inputs:
            barred.update(_barred_by_input(value.node, places[value.node], place))
        for layer in _layers_of(node):
            layers.setdefault(layer, []).append(place)
            owners |= dict.fromkeys(layer.variables, place)
    for callers in layers.values():
        for place in callers:
            barred.update(_between(_common(callers), place))
    for node in function.nodes():
        if node.op == Kind.VARIABLE and (variable := node.attributes["variable"]) in owners:
            barred.update(_between(_common([places[node], owners[variable]]), places[node]))
    return barred


def _in_turn(function: Function, waited_for: Container[Node]) -> set[Node]:
    """Returns the layers that change their own variables when a result is computed, and that nothing waits for.

    They change them in a class, too: batch normalization in training.
    """
    needed = set().union(*(behind(value, with_bodies=True) for value in function.results))
    return {node for node in needed if node.op == Kind.LAYER and node not in waited_for}


def _barred_by_input(given: Node, given_place: str, place: str) -> list[str]:
    """Returns the scopes that cannot be classes since a node at `place` takes what another one gives."""
    if _is_kept(given):
        return _between(given_place, place)
    if given.attributes.get("is_sizes"):  # layers take and give tensors
        common = _common([given_place, place])
        return _between(common, given_place) + _between(common, place)
    return []


def _layers_of(node: Node) -> list[Layer]:
    """Returns the layers that a node and its bodies call."""
    inner = (part for body in node.bodies for part in all_nodes(body))
    return [part.attributes["layer"] for part in (node, *inner) if part.op == Kind.LAYER]


def _is_kept(node: Node) -> bool:
    """Returns True for what the model holds in an attribute, which is no input of a class."""
    if node.op == "Const":
        return bool(node.attributes["value"].size > LARGEST_SHARED)
    return node.op in (Kind.VARIABLE, "ReadVariableOp")


def _levels(scope: str) -> list[str]:
    """Returns the scopes around a scope, outermost first, and itself."""
    parts = scope.split("/") if scope else []
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _common(scopes: Sequence[str]) -> str:
    """Returns the innermost scope that holds all scopes."""
    common = scopes[0] if scopes else ""
    for scope in scopes[1:]:
        while not holds(common, scope):
            common = scope_of(common)
    return common


def holds(outer: str, inner: str) -> bool:
    """Returns True if a scope is another one or lies in it. All lie in the empty one."""
    return not outer or outer == inner or inner.startswith(f"{outer}/")


def _between(outer: str, inner: str) -> list[str]:
    """Returns the scopes that hold `inner`, or are it, and do not hold `outer`."""
    return [level for level in _levels(inner) if len(level) > len(outer)]


def _circle(keys: Mapping[Node, Hashable]) -> list[Hashable]:
    """Returns keys each of which needs the next one, and the last one the first; or none."""
    needs: dict[Hashable, dict[Hashable, None]] = {}
    for node, key in keys.items():
        earlier = needs.setdefault(key, {})
        earlier.update((keys[needed], None) for needed in needed_by(node) if keys.get(needed, key) != key)
    try:
        graphlib.TopologicalSorter(needs).prepare()
    except graphlib.CycleError as error:
        circle: list[Hashable] = error.args[1]
        return circle
    return []


def _is_convex(members: Iterable[Node], nodes: Sequence[Node]) -> bool:
    """Returns True if no path leaves the members and comes back, through other nodes of `nodes`."""
    inside = set(members)
    behind: set[Node] = set()
    for node in nodes:
        needed = set(needed_by(node))
        if node in inside:
            if needed & behind:
                return False
        elif needed & (inside | behind):
            behind.add(node)
    return True
