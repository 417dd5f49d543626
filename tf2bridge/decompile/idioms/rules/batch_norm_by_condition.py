"""Batch normalization by the batch or by moving averages, as a truth value says: a layer that is called with it.

Python's True and False are truth values, too: a traced call has one of both alone then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tf2bridge.decompile.idioms.layer import INSTEAD_OF, NORMALIZATION, layer_node, scope_of
from tf2bridge.decompile.idioms.moving_averages import Update, batch_norm_layer, scale_and_offset, update_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value, array_of


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    pairs = [
        tuple(map(_normalization, results)) for results in zip(*(body.results for body in node.bodies), strict=True)
    ]
    normalized = [port for port, pair in enumerate(pairs) if None not in pair]
    if node.owner is not context.function or len(normalized) != 1:
        return None
    (port,) = normalized
    by_batch, by_average = pairs[port]
    assert by_batch is not None and by_average is not None
    x, gamma, beta = by_batch.inputs[:3]
    weights = scale_and_offset(gamma, beta, context)
    shape, axis = shape_of(x), 1 if by_batch.attributes["data_format"] == "NCHW" else -1
    if weights is None or not shape or shape[axis] is None or not _are_alike(by_batch, by_average, weights, context):
        return None
    mean, variance = (_variable_of(value) for value in by_average.inputs[3:5])
    updates, momentum = [], 1.0
    others = [other for other in range(len(node.outputs)) if other != port and not _is_constant(node, other)]
    if any(context.is_used(Value(node, other)) for other in others):
        moments = [_port_of(node, Value(by_batch, number)) for number in (1, 2)]
        updates = [_update(node, moment, (by_batch, by_average), context) for moment in moments]
        if None in updates or any(context.is_used(Value(node, other)) for other in others if other not in moments):
            return None
    elif context.variable(by_average.inputs[3]) is None or context.variable(by_average.inputs[4]) is None:
        return None
    known = [update for update in updates if update is not None]
    if known:
        if [update.variable for update in known] != [mean, variance] or known[0].rate != known[1].rate:
            return None
        momentum = 1 - known[0].rate
    if mean is None or variance is None:
        return None
    options = {"axis": axis, "momentum": float(momentum), "epsilon": by_batch.attributes["epsilon"]}
    scope = re.sub(r"/(smart_)?cond(_\d+)?(/Merge)?$", "", scope_of(node.name))
    layer = batch_norm_layer(NORMALIZATION, x, weights, (mean, variance), options, scope)
    called = layer_node(node, layer, [x, node.inputs[0]], "_layer(_0, training=_1)", [by_batch.outputs[0]])
    called.attributes[INSTEAD_OF] = tuple(update.node for update in known)
    return {Value(node, port): Value(called, 0)}


def _is_constant(node: Node, port: int) -> bool:
    """Returns True for a result of a condition that is a constant in each branch, as the rate of an update may be."""
    return all(array_of(body.results[port]) is not None for body in node.bodies)


def _port_of(node: Node, value: Value) -> int | None:
    """Returns the result of a condition that is a value of the branch in training, or None."""
    results = node.bodies[0].results
    return results.index(value) if value in results else None


def _normalization(value: Value) -> Node | None:
    """Returns the node that a branch gives the first result of, if it normalizes."""
    return value.node if value.port == 0 and value.node.op.startswith("FusedBatchNorm") else None


def _are_alike(by_batch: Node, by_average: Node, weights: Mapping[str, str], context: Context) -> bool:
    """Returns True if one node normalizes by the batch, and the other one the same by averages."""
    given, other = by_batch.attributes, by_average.attributes
    if not given["is_training"] or other["is_training"] or given.get("exponential_avg_factor", 1) != 1:
        return False
    if any(given[name] != other[name] for name in ("epsilon", "data_format")):
        return False
    if by_batch.inputs[0] != by_average.inputs[0]:
        return False
    return scale_and_offset(by_average.inputs[1], by_average.inputs[2], context) == weights


def _variable_of(value: Value) -> str | None:
    """Returns the old name of the variable that a value is, even if the graph changes it."""
    node = value.node.inputs[0].node if value.node.op == "ReadVariableOp" else value.node
    name: str | None = node.attributes.get("variable")
    return name


def _update(node: Node, port: int | None, nodes: tuple[Node, Node], context: Context) -> Update | None:
    """Returns the update of the average of a moment, which the branch in training gives."""
    return None if port is None else update_of(Value(node, port), nodes, context, node.inputs[0])


_TRAINING = "training = tf.reduce_sum(rows) > 0.0\n"
_END = "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    y = tf.identity(y) + tf.exp(y)\n"
RULE = Rule(
    ops=(Kind.COND,),
    apply=_apply,
    examples=(
        Example(
            f"{_TRAINING}y = tf.layers.batch_normalization(images, momentum=0.9, training=training)\n{_END}",
            "self.batch_normalization(images, training=tf.reduce_sum(rows) > 0.0)",
        ),
        Example(
            f"{_TRAINING}y = tf.layers.batch_normalization(images, momentum=0.9, training=training)\n{_END}",
            "normalization.BatchNormalization(momentum=0.9)",
        ),
        Example(
            f"{_TRAINING}y = tf.contrib.layers.batch_norm(images, fused=True, is_training=training)\n{_END}",
            "normalization.BatchNormalization(momentum=0.999000013, scale=False)",
        ),
        Example(
            f"{_TRAINING}y = tf.layers.batch_normalization(images, training=training)",
            "normalization.BatchNormalization(momentum=1.0)",
        ),
        Example(
            f"{_TRAINING}y = tf.contrib.layers.batch_norm(\n"
            "    images, decay=0.9, fused=True, updates_collections=None, is_training=training)",
            "return self.batchnorm(images, training=tf.reduce_sum(rows) > 0.0)",
        ),
        Example(f"{_TRAINING}y = tf.cond(training, lambda: images, lambda: tf.layers.batch_normalization(images))", ""),
    ),
    is_first=True,
)
