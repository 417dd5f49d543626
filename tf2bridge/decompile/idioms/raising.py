"""Applies the rules to a graph until none applies, and lets go of layers that cannot hold their variables."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from tf2bridge.decompile.idioms import rules
from tf2bridge.decompile.idioms.layer import NORMALIZATION, Layer
from tf2bridge.decompile.idioms.moved_effects import with_moved_effects
from tf2bridge.decompile.idioms.rule import Context, Rule, shape_of
from tf2bridge.decompile.inferred_shapes import with_inferred_shapes
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, cloned
from tf2bridge.decompile.simplify import without_unused_reads

Place = tuple[str, str]
"""A rule and the old name of a node that it applied to."""
_ROUNDS = 50
_TWO_OWNERS = "another layer holds a variable of this one"
_READ_BEFORE = "an operation reads a variable before the layer is called, or a part of what the layer holds"
_PARTLY_TRAINED = "only some of its variables train"
_UPDATED = "it has in parts what the training step changes"
_FIRST, _SECOND, _USUAL, _LAST = range(4)
"""The stages: at each one, more rules are tried; at the last one, all."""


@functools.cache
def all_rules() -> Mapping[str, Rule]:
    """Returns the name of each rule, which is that of its module, -> the rule."""
    modules = (module.name for module in pkgutil.iter_modules(rules.__path__))
    return {name: importlib.import_module(f"{rules.__name__}.{name}").RULE for name in modules}


def raised(
    function: Function,
    assigned: frozenset[str],
    only: frozenset[Place] | None = None,
    keras_ops: bool = False,
    whole: Collection[str] = (),
) -> tuple[Function, dict[Place, str]]:
    """Returns a copy of a graph with layers and expressions in place of the nodes that they stand for.

    It also returns the places where no layer can stand, and why.

    Args:
        function: The graph.
        assigned: The variables that the graph changes.
        only: The places where a rule may apply; None for all.
        keras_ops: Expressions of TensorFlow alone do not stand for nodes, which Keras may have functions for.
        whole: The variables that no layer may hold in parts.
    """
    trains = {
        node.attributes["variable"]: node.attributes["trainable"]
        for node in all_nodes(function)
        if node.op == Kind.VARIABLE
    }
    without: dict[Place, str] = {}
    while True:
        copy = cloned(function)
        _apply_rules(copy, assigned, only, without, keras_ops, whole)
        without_unused_reads(copy)
        if further := _read_in_parts(copy).difference(whole):
            whole = further.union(whole)
            continue
        unfit = {**_unfit_to_own(copy), **_fit_to_train(copy, trains), **_in_parts(copy, whole)}
        if not unfit:
            _mark_read_layers(copy)
            return copy, without
        without |= unfit


def places(function: Function) -> list[Place]:
    """Returns the places where rules have applied, in their order."""
    return [place for node in all_nodes(function) for place in node.attributes.get("rules", ())]


def owners(function: Function) -> dict[str, Place]:
    """Returns the old name of each variable that a layer holds -> the last place of that layer."""
    layers = [node for node in all_nodes(function) if node.op == Kind.LAYER]
    return {name: node.attributes["rules"][-1] for node in layers for name in node.attributes["layer"].variables}


def _apply_rules(
    function: Function,
    assigned: frozenset[str],
    only: frozenset[Place] | None,
    without: Collection[Place],
    keras_ops: bool,
    whole: Collection[str],
) -> None:
    stage = _FIRST
    for _ in range(_ROUNDS):
        by_type = _by_type(stage)
        context = Context(function, assigned, whole)
        replacements: dict[Value, Value] = {}
        known: set[Node] = set()
        for node in _outside_gradients(function):
            for name, rule in by_type.get(node.op, ()):
                place = (name, node.name)
                if place in without or (only is not None and place not in only):
                    continue
                if (better := rule.apply(node, context)) is not None:
                    several = {Value(node, 0): Value(better, 0)} if isinstance(better, Node) else better
                    known = known or set(all_nodes(function))
                    new_nodes = _new_nodes((value.node for value in several.values()), known)
                    if keras_ops and any(map(_needs_tensorflow, new_nodes)):
                        continue
                    for new in new_nodes:
                        new.attributes["rules"] = (*_earlier(new), place)
                        new.after = list(node.after)
                    replacements.update(several)
                    break
        if not replacements:
            if stage == _LAST:
                return
            stage += 1
        with_moved_effects(function, replacements)
        better_known = [new.node for old, new in replacements.items() if shape_of(new) != shape_of(old)]
        with_inferred_shapes(function, better_known)


@functools.cache
def _by_type(stage: int) -> Mapping[str, list[tuple[str, Rule]]]:
    """Returns the type of a node -> the rules that are tried at it, with their names: more at each stage."""
    by_type: dict[str, list[tuple[str, Rule]]] = {}
    for name, rule in all_rules().items():
        begins = _FIRST if rule.is_first else _SECOND if rule.is_second else _LAST if rule.is_last else _USUAL
        if stage >= begins:
            for op in rule.ops:
                by_type.setdefault(op, []).append((name, rule))
    return by_type


def _needs_tensorflow(node: Node) -> bool:
    """Returns True if a node of a rule is an expression that Keras has none for."""
    by_keras = node.attributes.get("keras template")
    return node.op in (Kind.LAYER, Kind.EXPRESSION) and not by_keras and "tf." in node.attributes["template"]


def _new_nodes(nodes: Iterable[Node], known: Collection[Node]) -> list[Node]:
    """Returns the nodes that a rule has given, and the new layers that these are computed from.

    Args:
        nodes: The nodes.
        known: The nodes of the graph.
    """
    given = list(nodes)
    pending, seen = list(given), dict[Node, None]()
    while pending:
        node = pending.pop()
        if node not in seen:
            seen[node] = None
            pending += [value.node for value in node.inputs if value.node not in known]
    return [node for node in seen if node in given or (node.op == Kind.LAYER and "rules" not in node.attributes)]


def _earlier(node: Node) -> tuple[Place, ...]:
    """Returns the places of the layer that a new node has taken in."""
    earlier: tuple[Place, ...] = node.attributes.get("rules", ())
    return earlier


def _outside_gradients(function: Function) -> list[Node]:
    """Returns the nodes that are not in a function with a gradient of its own, whose variables must be plain."""
    nodes = []
    for node in function.nodes():
        nodes.append(node)
        if node.op != Kind.CALL:
            nodes += [inner for body in node.bodies for inner in _outside_gradients(body)]
    return nodes


def _unfit_to_own(function: Function) -> dict[Place, str]:
    """Returns the last place of each layer that cannot hold its variables alone -> why.

    Another layer must not hold them, and an operation that reads one must come after a call of the layer: the layer
    has its variables from the first call on. No operation reads a variable that the layer has in parts.
    """
    unfit: dict[Place, str] = {}
    owners: dict[str, Node] = {}
    built: set[str] = set()
    outermost = set(function.nodes())
    for node in all_nodes(function):
        if node.op == Kind.LAYER:
            for variable in node.attributes["layer"].variables:
                owner = owners.setdefault(variable, node)
                if owner.attributes["layer"] != node.attributes["layer"]:
                    both = owner, node
                    in_parts = [part for part in both if not _holds_as_it_is(part.attributes["layer"], variable)]
                    unfit |= {part.attributes["rules"][-1]: _TWO_OWNERS for part in in_parts or both}
    for node in all_nodes(function):
        if node.op == Kind.LAYER and node in outermost:
            held = node.attributes["layer"].held
            built |= {weight.variables[0] for _, weight in held if weight.is_a_variable}
        for variable in _variables_used(node):
            if variable in owners and variable not in built:
                unfit.setdefault(owners[variable].attributes["rules"][-1], _READ_BEFORE)
    return unfit


def _read_in_parts(function: Function) -> set[str]:
    """Returns the variables that layers hold in parts, and that operations read as they are."""
    layers = [node.attributes["layer"] for node in all_nodes(function) if node.op == Kind.LAYER]
    held = {name for layer in layers for name in layer.variables if not _holds_as_it_is(layer, name)}
    return held.intersection(name for node in all_nodes(function) for name in _variables_used(node))


def _holds_as_it_is(layer: Layer, variable: str) -> bool:
    return any(weight.is_a_variable and variable in weight.variables for _, weight in layer.held)


def _in_parts(function: Function, whole: Collection[str]) -> dict[Place, str]:
    """Returns the last place of each layer that holds one of these variables in parts, or made of several -> why."""
    return {
        node.attributes["rules"][-1]: _UPDATED
        for node in all_nodes(function)
        if node.op == Kind.LAYER
        for name in node.attributes["layer"].variables
        if name in whole and not _holds_as_it_is(node.attributes["layer"], name)
    }


def _mark_read_layers(function: Function) -> None:
    """Sets the attribute "is_read" of layers whose variables operations read, and lets these wait for a call of it."""
    calls: dict[str, Node] = {}
    read: set[str] = set()
    for node in function.nodes():
        inner = [part for body in node.bodies for part in all_nodes(body)]
        taken = [value.node for part in (node, *inner) for value in part.inputs if value.node.op == Kind.VARIABLE]
        waited_for = [name for name in (part.attributes["variable"] for part in taken) if name in calls]
        node.after += [calls[name] for name in waited_for]
        read.update(waited_for)
        if node.op == Kind.LAYER:
            for name in node.attributes["layer"].variables:
                calls.setdefault(name, node)
    for node in all_nodes(function):
        if node.op == Kind.LAYER:
            node.attributes["is_read"] = any(name in read for name in node.attributes["layer"].variables)


def _variables_used(node: Node) -> list[str]:
    """Returns the variables that a node takes, as they are or read."""
    taken = [value.node.inputs[0] if value.node.op == "ReadVariableOp" else value for value in node.inputs]
    return [value.node.attributes["variable"] for value in taken if value.node.op == Kind.VARIABLE]


def _fit_to_train(function: Function, trains: Mapping[str, bool | None]) -> dict[Place, str]:
    """Lets layers train if their variables do. Returns the last place of each layer of which only a part does -> why.

    A variable of which nobody knows whether it trains (None) fits.
    """
    unfit = {}
    for node in all_nodes(function):
        if node.op == Kind.LAYER:
            layer = node.attributes["layer"]
            moving = {name for weight, held in layer.held if weight.startswith("moving_") for name in held.variables}
            fixed = {trains[name] for name in moving}
            free = {trains[name] for name in layer.variables if name not in moving}
            if fixed == {True} and False not in free and layer.kind.endswith("BatchNormalization"):
                node.attributes["layer"] = replace(layer, kind=NORMALIZATION).but(averages_train=True)
            elif True in fixed or {True, False} <= free:
                unfit[node.attributes["rules"][-1]] = _PARTLY_TRAINED
            elif False in free:
                node.attributes["layer"] = layer.but(trainable=False)
    return unfit
