"""Batch normalization by the batch without moving averages: `tf.nn.moments` and `tf.nn.batch_normalization`.

So is a graph with `training=True` whose updates are no part of what is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node, shortest
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Spec, Value

_AXES = [0, 1, 2]


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    is_alone = not any(context.is_used(Value(node, port)) for port in range(1, len(node.outputs)))
    if not node.attributes["is_training"] or node.attributes["data_format"] != "NHWC" or not is_alone:
        return None
    x, gamma, beta = node.inputs[:3]
    if x.spec.dtype.name != "float32" or x.spec.shape is None:
        return None
    moments = expression_node(node, f"tf.nn.moments(_0, {_AXES})", [x], keras=f"keras.ops.moments(_0, {_AXES})")
    moments.name = f"{node.name}/moments"
    moments.outputs = [Spec(x.spec.dtype, x.spec.shape[-1:])] * 2
    epsilon = literal(shortest(node.attributes["epsilon"]))
    template = f"tf.nn.batch_normalization(_0, _1, _2, _4, _3, {epsilon})"
    keras = f"(_0 - _1) * (keras.ops.rsqrt(_2 + {epsilon}) * _3) + _4"
    inputs = [x, Value(moments, 0), Value(moments, 1), gamma, beta]
    return {Value(node, 0): Value(expression_node(node, template, inputs, keras=keras), 0)}


RULE = Rule(
    ops=("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"),
    apply=_apply,
    examples=(
        Example("y = tf.layers.batch_normalization(images, training=True)", "tf.nn.moments(images, [0, 1, 2])"),
        Example(
            "y = tf.layers.batch_normalization(images, training=True, epsilon=0.01)",
            "self.batch_normalization_beta, self.batch_normalization_gamma, 0.01, )",
        ),
        Example(
            "y = tf.layers.batch_normalization(images, training=True)\n"
            "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n"
            "    y = tf.identity(y) + tf.exp(y)",
            "",
        ),
    ),
    is_last=True,
)
