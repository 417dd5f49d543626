"""Batch normalization spelt out, by moments or moving averages as a truth value says: a layer that is called with it.

`tf.layers.batch_normalization` computes rows so, and people write it so with `tf.nn.moments` and `tf.cond`. The moving
variance is that of the moments, without the factor n / (n - 1) of FusedBatchNorm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tf2bridge.decompile.idioms.layer import INSTEAD_OF, NORMALIZATION, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.moments import Moments, moments_of
from tf2bridge.decompile.idioms.moving_averages import Choice, Update, batch_norm_layer, choice_of, update_of
from tf2bridge.decompile.idioms.normalized import WHOLES, WITHOUT_BOTH
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value


class _Parts(NamedTuple):
    """A tensor that is normalized by moments in training, and by averages otherwise.

    Attributes:
        x: The tensor.
        epsilon: What is added to the variance.
        weights: "gamma" and "beta", as far as there are any.
        mean: The mean.
        variance: The variance.
        values: The mean and variance that are normalized by, where one value is both.
        nodes: The nodes that normalize by the averages.
    """

    x: Value
    epsilon: Value
    weights: dict[str, Value]
    mean: Choice
    variance: Choice
    values: tuple[Value, ...]
    nodes: frozenset[Node]


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    if node.owner is not context.function or node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    parts = _chosen_normalization(node, context) if node.op == Kind.COND else _chosen_moments(node)
    return next(filter(None, (_layer(node, part, context) for part in parts)), None)


def _chosen_moments(node: Node) -> Iterator[_Parts]:
    """Yields the parts of a node that normalizes by moments, or by averages in their place."""
    for names in _matches(Value(node, 0)):
        mean, variance = choice_of(names["mean"]), choice_of(names["variance"])
        if mean is not None and variance is not None and mean.predicate == variance.predicate:
            values = (names["mean"], names["variance"])
            averages = (choice.otherwise.node for choice in (mean, variance))
            nodes = frozenset([node, *mean.nodes, *variance.nodes, *averages])
            yield _Parts(names["x"], names["epsilon"], _weights(names), mean, variance, values, nodes)


def _chosen_normalization(node: Node, context: Context) -> Iterator[_Parts]:
    """Yields the parts of a condition with a branch that normalizes by moments, and one that does so by averages."""
    if len(node.outputs) != 1:
        return
    in_training, otherwise = (list(_matches(body.results[0])) for body in node.bodies)
    for names in in_training:
        for others in otherwise:
            weights = [
                {name: context.variable(value) for name, value in _weights(part).items()} for part in (names, others)
            ]
            is_alike = names["x"] == others["x"] and weights[0] == weights[1]
            if is_alike and number(names["epsilon"]) == number(others["epsilon"]):
                pairs = [(names[name], others[name]) for name in ("mean", "variance")]
                mean, variance = (Choice(node.inputs[0], *pair, (node,)) for pair in pairs)
                nodes = frozenset([node, *node.bodies[1].nodes()])
                yield _Parts(names["x"], names["epsilon"], _weights(names), mean, variance, (), nodes)


def _matches(value: Value) -> Iterator[dict[str, Value]]:
    return filter(None, (match(value, pattern) for pattern in (*WHOLES, *WITHOUT_BOTH)))


def _weights(names: Mapping[str, Value]) -> dict[str, Value]:
    return {name: names[name] for name in ("gamma", "beta") if name in names}


def _layer(node: Node, parts: _Parts, context: Context) -> Mapping[Value, Value] | None:
    """Returns the call of a layer in place of a node."""
    x, epsilon, shape, choices = parts.x, number(parts.epsilon), shape_of(parts.x), (parts.mean, parts.variance)
    by_batch = [_given(choice.chosen) for choice in choices]
    averages = [_variable_of(choice.otherwise) for choice in choices]
    moments = moments_of(x, by_batch[0], by_batch[1])
    variables = {name: context.variable(value) for name, value in parts.weights.items()}
    weights = {name: variable for name, variable in variables.items() if variable is not None}
    if moments is None or epsilon is None or not shape or len(weights) < len(variables) or None in averages:
        return None
    axis = moments.axis
    if shape[axis] is None or any(_size(value) != (shape[axis],) for value in parts.weights.values()):
        return None
    updates = [
        _update([*parts.values[place : place + 1], choice.chosen, moment], choice, parts, moments, context)
        for place, (choice, moment) in enumerate(zip(choices, by_batch, strict=True))
    ]
    rates = {update.rate for update in updates if update is not None}
    if updates == [None, None]:
        if any(context.variable(_given(choice.otherwise)) is None for choice in choices):
            return None
    elif len(rates) != 1 or [update and update.variable for update in updates] != averages:
        return None
    options = {"axis": axis, "momentum": float(1 - next(iter(rates), 0.0)), "epsilon": epsilon}
    scope = re.sub(r"/(batchnorm|(smart_)?cond)(_\d+)?(/.*)?$", "", scope_of(node.name))
    moving = (str(averages[0]), str(averages[1]))
    layer = batch_norm_layer(NORMALIZATION, x, weights, moving, options, scope)
    predicate = parts.mean.predicate
    training = "_1" if shape_of(predicate) == () or node.op == Kind.COND else "tf.reshape(_1, [])"
    template = f"_layer(_0, training={training})"
    called = layer_node(node, layer.but(fused=False), [x, predicate], template, [x.spec])
    called.attributes[INSTEAD_OF] = tuple(update.node for update in updates if update is not None)
    return {Value(node, 0): Value(called, 0)}


def _size(value: Value) -> tuple[int, ...] | None:
    """Returns the shape of a variable that a value is, or is read from."""
    return known_shape(value.node.inputs[0] if value.node.op == "ReadVariableOp" else value)


def _given(value: Value) -> Value:
    """Returns a value without the copies that a branch makes, so that it waits for an update."""
    while value.node.op == "Identity":
        value = value.node.inputs[0]
    return value


def _variable_of(value: Value) -> str | None:
    """Returns the old name of the variable that a value is read from, even if the graph changes it."""
    read = _given(value).node
    name: str | None = read.inputs[0].node.attributes.get("variable") if read.op == "ReadVariableOp" else None
    return name


def _update(
    values: Sequence[Value], choice: Choice, parts: _Parts, moments: Moments, context: Context
) -> Update | None:
    """Returns the update of an average by one of these values, which are the moment where the graph trains."""
    nodes = {*parts.nodes, *moments.nodes}
    updates = [update_of(value, nodes, context, choice.predicate) for value in dict.fromkeys(values)]
    found = {update.node: update for update in updates if update is not None}
    return next(iter(found.values())) if len(found) == 1 else None


_TRAINING = "training = tf.reduce_sum(rows) > 0.0\n"
_END = "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    y = tf.identity(y) + tf.exp(y)\n"
_OF_TUTORIALS = """
def batch_norm(x, training):
    beta = tf.Variable(tf.zeros([3]), name="beta")
    gamma = tf.Variable(tf.ones([3]), name="gamma")
    batch_mean, batch_variance = tf.nn.moments(x, [0, 1, 2], name="moments")
    ema = tf.train.ExponentialMovingAverage(decay=0.9)

    def updated():
        with tf.control_dependencies([ema.apply([batch_mean, batch_variance])]):
            return tf.identity(batch_mean), tf.identity(batch_variance)

    mean, variance = tf.cond(training, updated, lambda: (ema.average(batch_mean), ema.average(batch_variance)))
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-3)
"""
_MOMENTS = "tf.nn.moments(x, [0, 1, 2])"
_OF_0_12 = "tf.nn.normalize_moments(*tf.nn.sufficient_statistics(x, [0, 1, 2], shift=mean + 0.0))"
_OF_POPULATION = f"""
def batch_norm(x, training):
    beta, gamma = tf.Variable(tf.zeros([3])), tf.Variable(tf.ones([3]))
    mean, variance = (tf.Variable(start([3]), trainable=False) for start in (tf.zeros, tf.ones))
    batch_mean, batch_variance = {_MOMENTS}

    def in_training():
        means = tf.assign(mean, mean * 0.9 + batch_mean * (1 - 0.9))
        variances = tf.assign(variance, variance * 0.9 + batch_variance * (1 - 0.9))
        with tf.control_dependencies([means, variances]):
            return tf.nn.batch_normalization(x, batch_mean, batch_variance, beta, gamma, 0.01)

    return tf.cond(training, in_training, lambda: tf.nn.batch_normalization(x, mean, variance, beta, gamma, 0.01))
"""
RULE = Rule(
    ops=("Add", "AddV2", "Mul", "RealDiv", Kind.COND),
    apply=_apply,
    examples=(
        Example(
            f"{_TRAINING}y = tf.layers.batch_normalization(rows, momentum=0.9, training=training)\n{_END}",
            "normalization.BatchNormalization(momentum=0.9, fused=False)",
        ),
        Example(
            f"{_TRAINING}y = tf.layers.batch_normalization(rows, momentum=0.9, training=training)\n{_END}",
            "self.batch_normalization(rows, training=tf.reduce_sum(rows) > 0.0)",
        ),
        Example(
            f"{_TRAINING}{_OF_TUTORIALS}y = batch_norm(images, training)",
            "normalization.BatchNormalization(momentum=0.9, fused=False)",
        ),
        Example(
            f"{_TRAINING}{_OF_POPULATION}y = batch_norm(images, training)",
            "normalization.BatchNormalization(momentum=0.9, epsilon=0.01, fused=False)",
        ),
        Example(
            f"{_TRAINING}{_OF_POPULATION.replace(_MOMENTS, _OF_0_12)}y = batch_norm(images, training)",
            "normalization.BatchNormalization(momentum=0.9, epsilon=0.01, fused=False)",
        ),
        Example(
            f"{_TRAINING}m, v = tf.nn.moments(rows, [0])\n"
            "y = tf.cond(training, lambda: tf.nn.batch_normalization(rows, m, v, None, None, 0.01), lambda: rows)",
            "",
        ),
    ),
    is_first=True,
)
