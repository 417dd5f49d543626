"""Moving averages that batch normalization updates, as `assign_moving_average` of TensorFlow 1.x does."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

from tf2bridge.decompile.idioms.layer import Layer, Weight, dtype_keyword, keywords, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, known_shape
from tf2bridge.decompile.ir import Kind, Node, Value, array_of

_DEFAULTS = {"axis": -1, "momentum": 0.99, "epsilon": 1e-3, "center": True, "scale": True}
_RELATIVE = 1e-6
"""How far a written rate may be from that of the graph: a tenth of what the comparison of packages allows."""


class Update(NamedTuple):
    """An update of a moving average.

    Attributes:
        node: Its node.
        variable: The old name of the variable.
        rate: The part of the difference from the variable that the variable moves by.
    """

    node: Node
    variable: str
    rate: float


def update_of(moment: Value, nodes: Collection[Node], context: Context, training: Value | None = None) -> Update | None:
    """Returns the update of the moving average of a moment, or None if there is none, or several.

    Args:
        moment: The moment.
        nodes: The nodes that normalize. FusedBatchNorm takes the average too, if only to give it back.
        context: The graph.
        training: The truth value without which the average stays as it is; None if there is none.
    """
    updates = []
    for user in context.users(moment):
        names = match(Value(user, 0), "Sub(moving, moment)", {"moment": moment}) if user is not None else None
        if user is not None and names and (update := _update(user, names["moving"], nodes, context, training)):
            updates.append(update)
    return updates[0] if len(updates) == 1 else None


def _update(
    difference: Node, moving: Value, nodes: Collection[Node], context: Context, training: Value | None
) -> Update | None:
    """Returns the update that takes a part of a difference from a variable, if nothing else takes the variable."""
    variable = moving.node.inputs[0] if moving.node.op == "ReadVariableOp" else moving
    steps = _steps(difference, context)
    if steps is None or variable.node.op != Kind.VARIABLE:
        return None
    product, assignment = steps
    if not _is_placed(assignment, context, training):
        return None
    given = next(value for value in product.inputs if value.node is not difference)
    rate = _rate(given, training) if assignment.owner is context.function else number(given)
    if rate is None or not 0 < rate < 1 or assignment.op != "AssignSubVariableOp":
        return None
    if assignment.inputs[0] != variable or known_shape(variable) is None:
        return None
    reads = set(context.users(variable)) - {assignment}
    users = {user for read in reads for user in (context.users(Value(read, 0)) if read is not None else [None])}
    others = {user for user in users if user is not None and _updates(user, variable, context)}  # by further calls
    if not users <= {difference, *nodes, *others}:
        return None
    return Update(assignment, variable.node.attributes["variable"], rate)


def _steps(difference: Node, context: Context) -> tuple[Node, Node] | None:
    """Returns the nodes that multiply a difference and assign the product, if nothing else takes both; or None."""
    product = _only_user(difference, context)
    assignment = _only_user(product, context) if product is not None and product.op == "Mul" else None
    return None if product is None or assignment is None else (product, assignment)


def _updates(difference: Node, variable: Value, context: Context) -> bool:
    """Returns True if the difference is taken from a variable: a layer that is called again updates its averages."""
    steps = _steps(difference, context) if difference.op == "Sub" else None
    return steps is not None and steps[1].op == "AssignSubVariableOp" and steps[1].inputs[0] == variable


def _is_placed(node: Node, context: Context, training: Value | None) -> bool:
    """Returns True if a node runs always, or in training alone."""
    if node.owner is context.function:
        return True
    conditions = [other for other in context.function.nodes() if other.op == Kind.COND and node.owner in other.bodies]
    return any(other.inputs[0] == training and other.bodies[0] is node.owner for other in conditions)


def _only_user(node: Node, context: Context) -> Node | None:
    users = context.users(Value(node, 0))
    return users[0] if len(users) == 1 else None


def _rate(value: Value, training: Value | None) -> float | None:
    """Returns the number that a rate is in training, if it is 0 otherwise; or the number that it always is."""
    if training is None:
        return number(value)
    numbers = _numbers(value, training)
    return numbers[0] if numbers is not None and numbers[1] == 0 else None


def _numbers(value: Value, training: Value) -> tuple[Any, Any] | None:
    """Returns the numbers that a value is in training and otherwise, or None."""
    array = array_of(value)
    if array is not None and array.size == 1:
        return array.reshape(-1)[0], array.reshape(-1)[0]
    node = value.node
    if node.op == Kind.COND and node.inputs[0] == training:
        results = [array_of(body.results[value.port]) for body in node.bodies]
        return None if any(result is None or result.size != 1 for result in results) else (results[0], results[1])
    if node.op != "Sub":
        return None
    first, second = (_numbers(part, training) for part in node.inputs)
    return None if first is None or second is None else (first[0] - second[0], first[1] - second[1])


def batch_norm_layer(
    kind: str,
    x: Value,
    weights: dict[str, str],
    moving: tuple[str, str],
    options: dict[str, Any],
    scope: str,
) -> Layer:
    """Returns a layer of batch normalization.

    Args:
        kind: The class.
        x: What it normalizes.
        weights: "gamma" and "beta", as far as there are any -> the old name of the variable.
        moving: The old names of the moving mean and variance.
        options: Its arguments `axis`, `momentum` and `epsilon`.
        scope: The name scope that it gets its name from.
    """
    held = {**weights, "moving_mean": moving[0], "moving_variance": moving[1]}
    numbers = {**options, "epsilon": shortest(options["epsilon"]), "momentum": _momentum(1 - options["momentum"])}
    arguments = keywords(_DEFAULTS, **numbers, center="beta" in weights, scale="gamma" in weights)
    parts = tuple((name, Weight((variable,))) for name, variable in held.items())
    return Layer(kind, (), parts, (*arguments, *dtype_keyword(x)), scope)


def _momentum(rate: float) -> float:
    """Returns the number with the fewest digits of which Keras computes this rate, as 1 minus the number.

    Many graphs compute 1 - 0.999 with float32, which is 0.00099998713: the number is 0.999000013 then.
    """
    numbers = (round(1 - rate, digits) for digits in range(1, 16))
    return next((number for number in numbers if math.isclose(1 - number, rate, rel_tol=_RELATIVE)), 1 - rate)


def scale_and_offset(gamma: Value, beta: Value, context: Context) -> dict[str, str] | None:
    """Returns "gamma" and "beta" -> the old name of the variable, without those that change nothing; or None."""
    weights = {}
    for name, value, neutral in (("gamma", gamma, 1), ("beta", beta, 0)):
        variable, array = context.variable(value), array_of(value)
        if variable is not None:
            weights[name] = variable
        elif array is None or (array != neutral).any():
            return None
    return weights
