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
    for user in filter(None, context.users(moment)):
        names = match(Value(user, 0), "Sub(moving, moment)", {"moment": moment})
        update = _update(user, names["moving"], nodes, context, training) if names else None
        update = update or _weighted_update(user, moment, nodes, context, training)
        updates += [] if update is None else [update]
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
    for read in set(context.users(variable)) - {assignment}:
        if read is None or not _is_for(Value(read, 0), variable, {difference, *nodes}, context):
            return None
    return Update(assignment, variable.node.attributes["variable"], rate)


def _weighted_update(
    part: Node, moment: Value, nodes: Collection[Node], context: Context, training: Value | None
) -> Update | None:
    """Returns the update that assigns a sum of parts of the average and of the moment, as people write it.

    Args:
        part: The node that may compute the part of the moment.
        moment: The moment.
        nodes: As for `update_of`.
        context: The graph.
        training: As for `update_of`.
    """
    total = _only_user(part, context)
    names = match(Value(total, 0), "Add(Mul(moving, decay), Mul(moment, rate))", {"moment": moment}) if total else None
    assignment = _only_user(total, context) if total is not None and names else None
    if names is None or assignment is None or assignment.op != "AssignVariableOp":
        return None
    variable = assignment.inputs[0]
    decay, rate = number(names["decay"]), number(names["rate"])
    is_average = names["moving"].node.op == "ReadVariableOp" and names["moving"].node.inputs[0] == variable
    if not is_average or known_shape(variable) is None or not _is_placed(assignment, context, training):
        return None
    if decay is None or rate is None or not 0 < rate < 1 or not math.isclose(decay, 1 - rate, rel_tol=_RELATIVE):
        return None
    if training is not None and assignment.owner is context.function:
        return None
    for read in set(context.users(variable)) - {assignment}:
        kept = [user for user in context.users(Value(read, 0)) if user is not None] if read is not None else []
        of_average = {user for user in kept if user.op == "Mul" and _only_user(user, context) is total}
        if read is None or not _is_for(Value(read, 0), variable, {*of_average, *nodes}, context):
            return None
    return Update(assignment, variable.node.attributes["variable"], rate)


def _is_for(average: Value, variable: Value, nodes: Collection[Node], context: Context) -> bool:
    """Returns True if these nodes alone take a value of an average, and updates by further calls of the layer.

    A condition that updates the average in training gives it back, which nothing takes.
    """
    given_back = context.given_by_conditions(average)
    users = context.users(average)
    if users.count(None) != len(given_back):
        return False
    if any(value.node not in nodes and context.is_used(value) for value in given_back):
        return False
    return all(user is None or user in nodes or _updates(user, variable, context) for user in users)


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
    if (choice := choice_of(value)) is not None and choice.predicate == training:
        results = [array_of(result) for result in (choice.chosen, choice.otherwise)]
        if any(result is None or result.size != 1 for result in results):
            return None
        return results[0].reshape(-1)[0], results[1].reshape(-1)[0]
    if value.node.op != "Sub":
        return None
    first, second = (_numbers(part, training) for part in value.node.inputs)
    return None if first is None or second is None else (first[0] - second[0], first[1] - second[1])


class Choice(NamedTuple):
    """A value that is one of two.

    Attributes:
        predicate: The truth value.
        chosen: The value if it is true.
        otherwise: The value if it is false.
        nodes: The nodes that choose.
    """

    predicate: Value
    chosen: Value
    otherwise: Value
    nodes: tuple[Node, ...]


def choice_of(value: Value) -> Choice | None:
    """Returns how a condition, or what `tf.layers` of 1.4 has for a small one, chooses a value."""
    node = value.node
    if node.op == Kind.COND:
        chosen, otherwise = (body.results[value.port] for body in node.bodies)
        return Choice(node.inputs[0], chosen, otherwise, (node,))
    names = match(value, "Squeeze((Select | SelectV2)(Reshape(predicate, sizes), first, second))")
    if names is None:
        return None
    expanded = [names["first"].node, names["second"].node]
    if all(part.op == "ExpandDims" for part in expanded):
        first, second = (part.inputs[0] for part in expanded)
        return Choice(names["predicate"], first, second, (node, *expanded))
    return Choice(names["predicate"], names["first"], names["second"], (node,))


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
