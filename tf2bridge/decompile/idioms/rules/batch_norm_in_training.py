"""Batch normalization by the batch, with updates of moving averages: a layer that is called with `training=True`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tf2bridge.decompile.idioms.layer import (
    INSTEAD_OF,
    Layer,
    Weight,
    dtype_keyword,
    keywords,
    layer_node,
    scope_of,
    shortest,
)
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.normalized import WITH_OFFSET, WITHOUT_OFFSET
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value, array_of

_DEFAULTS = {"axis": -1, "momentum": 0.99, "epsilon": 1e-3, "center": True, "scale": True}


class _Update(NamedTuple):
    """An update of a moving average: its node, the old name of the variable, and what part of it goes."""

    node: Node
    variable: str
    rate: float


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    if node.owner is not context.function:
        return None  # what a branch or a loop updates is not updated at each call
    if node.op.startswith("FusedBatchNorm"):
        return _fused(node, context)
    if node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    return next(filter(None, (_spelt_out(node, context, pattern) for pattern in (*WITH_OFFSET, *WITHOUT_OFFSET))), None)


def _spelt_out(node: Node, context: Context, pattern: str) -> Mapping[Value, Value] | None:
    names = match(Value(node, 0), pattern)
    if names is None:
        return None
    x, mean, variance, epsilon = names["x"], names["mean"], names["variance"], number(names["epsilon"])
    of_mean = match(_kept(mean), "Mean(x, axes)", {"x": x})
    bound = {"x": x, "mean": _kept(mean)}
    of_variance = match(_kept(variance), "Mean(SquaredDifference(x, StopGradient(mean)), axes)", bound)
    if of_mean is None or of_variance is None or epsilon is None:
        return None
    axes, others = array_of(of_mean["axes"]), array_of(of_variance["axes"])
    rank = len(shape_of(x) or ())
    if axes is None or others is None or axes.tolist() != others.tolist():
        return None
    axis = _only_other([int(number) % rank for number in axes.reshape(-1)], rank) if rank else None
    weights: dict[str, Weight] = {}
    for name in ("gamma", "beta"):
        if name in names:
            variable = context.variable(names[name])
            if variable is None:
                return None
            weights[name] = Weight((variable,))
    if axis is None:
        return None
    updates = [_update(moment, node, context) for moment in (mean, variance)]
    return _replacements(node, "keras.layers.BatchNormalization", x, weights, updates, epsilon, axis)


def _kept(moment: Value) -> Value:
    """Returns a moment with the axes that a node takes out."""
    return moment.node.inputs[0] if moment.node.op == "Squeeze" else moment


def _fused(node: Node, context: Context) -> Mapping[Value, Value] | None:
    x, gamma, beta = node.inputs[:3]
    taken = [context.users(Value(node, port)) for port in range(1, len(node.outputs))]
    if not node.attributes["is_training"] or node.attributes.get("exponential_avg_factor", 1) != 1:
        return None
    if [len(users) for users in taken[:2]] != [1, 1] or any(taken[2:]):
        return None
    updates = [_update(Value(node, port), node, context) for port in (1, 2)]
    axis = 1 if node.attributes["data_format"] == "NCHW" else -1
    weights = {}
    for name, value, neutral in (("gamma", gamma, 1), ("beta", beta, 0)):
        variable, array = context.variable(value), array_of(value)
        if variable is not None:
            weights[name] = Weight((variable,))
        elif array is None or (array != neutral).any():
            return None
    kind = "normalization.BatchNormalization"
    return _replacements(node, kind, x, weights, updates, node.attributes["epsilon"], axis)


def _replacements(
    node: Node,
    kind: str,
    x: Value,
    weights: dict[str, Weight],
    updates: list[_Update | None],
    epsilon: float,
    axis: int,
) -> Mapping[Value, Value] | None:
    """Returns the call of the layer, if both averages are updated at the same rate and nothing else takes them."""
    mean, variance = updates
    shape = shape_of(x)
    if mean is None or variance is None or mean.rate != variance.rate or not shape or shape[axis] is None:
        return None
    weights |= {"moving_mean": Weight((mean.variable,)), "moving_variance": Weight((variance.variable,))}
    options = keywords(
        _DEFAULTS,
        axis=axis,
        momentum=shortest(1 - mean.rate),
        epsilon=shortest(epsilon),
        center="beta" in weights,
        scale="gamma" in weights,
    )
    scope = scope_of(node.name)
    scope = scope.removesuffix("/batchnorm")
    layer = Layer(kind, (), tuple(weights.items()), (*options, *dtype_keyword(x)), scope)
    called = layer_node(node, layer, [x], "_layer(_0, training=True)")
    called.attributes[INSTEAD_OF] = (mean.node, variance.node)
    return {Value(node, 0): Value(called, 0)}


def _update(moment: Value, node: Node, context: Context) -> _Update | None:
    """Returns the update of the moving average of a moment, or None if there is none, or several.

    Args:
        moment: The moment.
        node: The node that normalizes by it.
        context: The graph.
    """
    updates = []
    for user in context.users(moment):
        names = match(Value(user, 0), "Sub(moving, moment)", {"moment": moment}) if user is not None else None
        if user is not None and names and (update := _assignment(user, names["moving"], node, context)):
            updates.append(update)
    return updates[0] if len(updates) == 1 else None


def _assignment(difference: Node, moving: Value, node: Node, context: Context) -> _Update | None:
    """Returns the update that takes a part of a difference from a variable, if nothing else takes the variable.

    Since 1.15, FusedBatchNorm takes it too, and computes nothing of it.
    """
    variable = moving.node.inputs[0] if moving.node.op == "ReadVariableOp" else moving
    (product, *others) = context.users(Value(difference, 0))
    names = match(Value(product, 0), "Mul(difference, rate)") if product is not None and product.outputs else None
    rate = names and number(next(value for value in names.values() if value.node is not difference))
    if others or product is None or not rate or not 0 < rate < 1 or variable.node.op != Kind.VARIABLE:
        return None
    (assignment, *others) = context.users(Value(product, 0))
    if others or assignment is None or assignment.op != "AssignSubVariableOp":
        return None
    if assignment.owner is not context.function or assignment.inputs[0] != variable or known_shape(variable) is None:
        return None
    reads = set(context.users(variable)) - {assignment}
    users = {user for read in reads for user in (context.users(Value(read, 0)) if read is not None else [None])}
    if not users <= {difference, node}:
        return None
    return _Update(assignment, variable.node.attributes["variable"], rate)


def _only_other(axes: list[int], rank: int) -> int | None:
    """Returns the axis that is not among these, as a layer has it: -1 for the last one; None if it is not one."""
    others = sorted(set(range(rank)).difference(axes))
    return None if len(others) != 1 else -1 if others[0] == rank - 1 else others[0]


_END = "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    y = tf.identity(y) + tf.exp(y)\n"
RULE = Rule(
    ops=("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", "Add", "AddV2"),
    apply=_apply,
    examples=(
        Example(
            f"y = tf.layers.batch_normalization(images, training=True)\n{_END}",
            "self.batch_normalization(images, training=True)",
        ),
        Example(
            f"y = tf.layers.batch_normalization(images, momentum=0.9, epsilon=0.01, training=True)\n{_END}",
            "normalization.BatchNormalization(momentum=0.9, epsilon=0.01)",
        ),
        Example(
            f"y = tf.contrib.layers.batch_norm(images, fused=True)\n{_END}",
            "normalization.BatchNormalization(momentum=0.999, scale=False)",
        ),
        Example(
            f"y = tf.layers.batch_normalization(rows, momentum=0.9, training=True)\n{_END}",
            "keras.layers.BatchNormalization(momentum=0.9)",
        ),
        Example(
            f"y = tf.layers.batch_normalization(images, training=True)\n{_END}"
            "    y *= tf.reduce_sum(tf.global_variables()[2].read_value())",
            "",
        ),
        Example(f"y = tf.layers.batch_normalization(images, training=rows[0, 0] > 0)\n{_END}", ""),
    ),
)
