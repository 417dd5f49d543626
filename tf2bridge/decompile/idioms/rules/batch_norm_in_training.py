"""Batch normalization by the batch, with updates of moving averages: a layer that is called with `training=True`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tf2bridge.decompile.idioms.layer import INSTEAD_OF, NORMALIZATION, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.moments import moments_of
from tf2bridge.decompile.idioms.moving_averages import batch_norm_layer, scale_and_offset, update_of
from tf2bridge.decompile.idioms.normalized import WITH_OFFSET, WITHOUT_OFFSET
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    if node.owner is not context.function:
        return None  # what a branch or a loop updates is not updated at each call
    if node.op.startswith("FusedBatchNorm"):
        return _fused(node, context)
    if node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    return next(filter(None, (_spelt_out(node, context, pattern) for pattern in (*WITH_OFFSET, *WITHOUT_OFFSET))), None)


def _fused(node: Node, context: Context) -> Mapping[Value, Value] | None:
    x, gamma, beta = node.inputs[:3]
    taken = [context.users(Value(node, port)) for port in range(1, len(node.outputs))]
    if not node.attributes["is_training"] or node.attributes.get("exponential_avg_factor", 1) != 1:
        return None
    weights = scale_and_offset(gamma, beta, context)
    if weights is None or [len(users) for users in taken[:2]] != [1, 1] or any(taken[2:]):
        return None
    axis = 1 if node.attributes["data_format"] == "NCHW" else -1
    moments, kind = [Value(node, 1), Value(node, 2)], NORMALIZATION
    return _replacements(node, context, kind, x, weights, moments, node.attributes["epsilon"], axis)


def _spelt_out(node: Node, context: Context, pattern: str) -> Mapping[Value, Value] | None:
    names = match(Value(node, 0), pattern)
    if names is None:
        return None
    x, mean, variance, epsilon = names["x"], names["mean"], names["variance"], number(names["epsilon"])
    moments = moments_of(x, mean, variance)
    variables = {name: context.variable(names[name]) for name in ("gamma", "beta") if name in names}
    weights: dict[str, str] = {name: variable for name, variable in variables.items() if variable is not None}
    if moments is None or epsilon is None or len(weights) < len(variables):
        return None
    kind = "keras.layers.BatchNormalization"
    nodes = [node, *moments.nodes]
    return _replacements(node, context, kind, x, weights, [mean, variance], epsilon, moments.axis, nodes)


def _replacements(
    node: Node,
    context: Context,
    kind: str,
    x: Value,
    weights: dict[str, str],
    moments: list[Value],
    epsilon: float,
    axis: int,
    nodes: Sequence[Node] | None = None,
) -> Mapping[Value, Value] | None:
    """Returns the call of the layer, if both averages are updated at the same rate and nothing else takes them."""
    mean, variance = (update_of(moment, nodes or [node], context) for moment in moments)
    shape = shape_of(x)
    if mean is None or variance is None or mean.rate != variance.rate or not shape or shape[axis] is None:
        return None
    options = {"axis": axis, "momentum": 1 - mean.rate, "epsilon": epsilon}
    scope = scope_of(node.name).removesuffix("/batchnorm")
    layer = batch_norm_layer(kind, x, weights, (mean.variable, variance.variable), options, scope)
    called = layer_node(node, layer, [x], "_layer(_0, training=True)")
    called.attributes[INSTEAD_OF] = (mean.node, variance.node)
    return {Value(node, 0): Value(called, 0)}


_END = "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    y = tf.identity(y) + tf.exp(y)\n"
_SHARED = """
def normalized(x):
    return tf.contrib.layers.batch_norm(x, fused=True, updates_collections=None, reuse=tf.AUTO_REUSE, scope="n")
"""
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
            "normalization.BatchNormalization(momentum=0.999000013, scale=False)",
        ),
        Example(
            f"y = tf.layers.batch_normalization(rows, momentum=0.9, training=True)\n{_END}",
            "keras.layers.BatchNormalization(momentum=0.9)",
        ),
        Example(
            f"y = tf.layers.batch_normalization(images, momentum=tf.constant(0.999), training=True)\n{_END}",
            "normalization.BatchNormalization(momentum=0.999000013)",
        ),
        Example(
            f"{_SHARED}y = normalized(images) * normalized(tf.exp(images))",
            "self.n(images, training=True) * self.n(tf.exp(images), training=True)",
        ),
        Example(
            f"y = tf.layers.batch_normalization(images, training=True)\n{_END}"
            "    y *= tf.reduce_sum(tf.global_variables()[2].read_value())",
            "",
        ),
    ),
)
