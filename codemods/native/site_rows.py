"""What a rewriting says of the calls of sessions: the rows of the map, and orders that TensorFlow 1 left open."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from codemods.names import Names
from codemods.native import summaries
from codemods.native.assignments import open_averages
from codemods.native.functions import Function
from codemods.native.items import Body, Item
from codemods.native.kinds import Kind, v1_name
from codemods.native.native_map import Call, Dropped
from codemods.native.places import named_arguments, place_of
from codemods.native.site_calls import key_of
from codemods.native.sites import Plan, is_attribute
from codemods.tree import walk

_PENALTIES = ("nn.l2_loss", "contrib.layers.l2_regularizer")
_NORMS = ("clip_by_global_norm", "global_norm")
"""What needs all gradients before it gives one."""


def open_orders(made: Plan, body: Body, names: Names) -> Iterator[tuple[ast.Call, str]]:
    """Yields the calls in which TensorFlow 1 left an order open: that of training ops, or of a step and a decay.

    The gradient of tf.nn.l2_loss needs the variable and not the loss, so that the loss may be computed after the step.
    """
    for run, function in made.functions:
        trained = [fetch.place for fetch in function.operations if fetch.kind is Kind.TRAIN]
        if len(trained) > 1:
            listed = ", ".join(filter(None, trained))
            yield (
                run.node,
                f"TensorFlow 1 left the order of {listed} open; all gradients are taken before the first step",
            )
        if opened := open_averages(function.slice, body, names):
            message = f"TensorFlow 1 left open whether {', '.join(opened)} changes before or after the step"
            yield run.node, f"{message}; here it is after it"
        for fetch in function.fetches:
            if fetch.order == "stepped":
                message = f"TensorFlow 1 left open whether {key_of(fetch)} is read before or after the step"
                yield run.node, f"{message}; its value is the one after it, as on a CPU"
        if run.values:
            yield from ((run.node, why) for why in summaries.open_orders(function.slice.ordered))
        calls = [c for item in function.slice.ordered for c in walk(item.node) if isinstance(c, ast.Call)]
        if trained and function.values and any(v1_name(names, call.func) in _PENALTIES for call in calls):
            yield (
                run.node,
                "TensorFlow 1 left open whether tf.nn.l2_loss is computed before or after the step; "
                "the results are those before it",
            )
        if len([item for item in function.slice.ordered if item.effects.normalizes]) > 1 and trained:
            yield (
                run.node,
                "TensorFlow 1 left open the order of updates, where two statements normalize by one layer; "
                "here it is that of the statements",
            )
        if trained and _takes_gradients_apart(function, names):
            yield (
                run.node,
                "TensorFlow 1 left open whether tf.gradients reads a weight before or after its step, as only "
                "minimize and compute_gradients wait; all gradients are taken before the step",
            )


def _takes_gradients_apart(function: Function, names: Names) -> bool:
    """Returns whether a step applies gradients of tf.gradients one by one, so that none waits for the others.

    The gradient of a layer's input reads its weights; compute_gradients makes the step of the weights wait for it, and
    tf.gradients does not. A norm over all gradients makes every step wait for all of them.
    """
    calls = [
        (v1_name(names, node.func), node, item)
        for item in function.slice.ordered
        for node in walk(item.node)
        if isinstance(node, ast.Call)
    ]
    applied = any(isinstance(call.func, ast.Attribute) and call.func.attr == "apply_gradients" for _, call, _ in calls)
    several = any(name == "gradients" and not _is_of_one(call, item) for name, call, item in calls)
    return applied and several and not any(name in _NORMS for name, _, _ in calls)


def _is_of_one(call: ast.Call, item: Item) -> bool:
    """Returns whether tf.gradients is asked for the gradient of one variable."""
    variables = named_arguments(call, ("ys", "xs")).get("xs")
    if isinstance(variables, (ast.List, ast.Tuple)):
        variables = variables.elts[0] if len(variables.elts) == 1 else None
    place = place_of(variables) if variables is not None else None
    return place is not None and item.places.get(place) is Kind.VARIABLE


def rows(made: Plan, module: str, place: Callable[[ast.Call], str], body: Body) -> Iterator[Call]:
    """Yields the rows of the map for the calls that became calls of functions."""
    for run, function in made.functions:
        fetches = tuple(key_of(fetch) for fetch in function.values if fetch.kind is not Kind.SUMMARY)
        operations = tuple(key_of(fetch) for fetch in function.operations)
        feeds = tuple(place for place in function.feeds if place not in made.iterators.by_place)
        yield Call(place(run.node), f"{module}:{_qualified(function, body, run.node)}", feeds, fetches, operations)


def _qualified(function: Function, body: Body, call: ast.Call) -> str:
    """Returns the qualified name of a function: those of a function or class stand in the function that built them."""
    around = (node for node in body.main.drivers if any(below is call for below in walk(node)))
    driver = next(around, body.main.drivers[0] if len(body.main.drivers) == 1 else None)
    owner = f"{body.main.owner.name}." if body.main.owner is not None and is_attribute(function, body) else ""
    home = function.home or (driver if body.main.instance is not None else body.main.function)
    return f"{owner}{home.name}.<locals>.{function.name}" if home is not None else function.name


def dropped(made: Plan, place: Callable[[ast.Call], str]) -> Iterator[Dropped]:
    """Yields the rows of the map for the calls that became nothing."""
    for run in made.dropped:
        yield Dropped(place(run.node), "initializer", "variables have their values when they are made")
    for known in made.starts:
        yield Dropped(place(known.run.node), "initializer", "the iterator is made anew")
    for run in made.reads:
        kind = "read" if run.fetches[0].kind is not Kind.ASSIGN else "other"
        why = "a variable is read without a call" if kind == "read" else "the assignment is made without a call"
        yield Dropped(place(run.node), kind, why)
