"""Normalization of images by their own mean and variance: `tf.compat.v1.nn.fused_batch_norm`.

The same spelt out with `tf.reduce_mean` and `tf.math.reduce_variance` rounds in another order. The gradients of weights
before it are small differences of large numbers, and differ by more than 1e-5 then.
"""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape
from tf2bridge.decompile.ir import Node, Value

_SMALLEST_EPSILON = 1.001e-5
"""The function makes a smaller one as large (tensorflow/python/ops/nn_impl.py)."""
_FILLED = {0: "tf.zeros", 1: "tf.ones"}


def _apply(node: Node, context: Context) -> Node | None:
    x, gamma, beta = node.inputs[:3]
    attributes, epsilon = node.attributes, node.attributes["epsilon"]
    if not attributes["is_training"] or any(context.is_used(Value(node, port)) for port in range(1, 6)):
        return None
    if attributes["data_format"] != "NHWC" or round(epsilon, 9) < _SMALLEST_EPSILON:
        return None
    inputs, texts = [x], []
    for value, neutral in ((gamma, 1), (beta, 0)):
        filled = _filled(value, neutral)
        texts.append(filled or f"_{len(inputs)}")
        inputs += [] if filled else [value]
    texts += [] if literal(epsilon) == "0.001" else [f"epsilon={literal(epsilon)}"]
    return expression_node(node, f"tf.compat.v1.nn.fused_batch_norm(_0, {', '.join(texts)})[0]", inputs)


def _filled(value: Value, number: int) -> str | None:
    """Returns the expression of a constant vector if it has this number alone, else None."""
    if value.node.op != "Const" or not (value.node.attributes["value"] == number).all():
        return None
    return f"{_FILLED[number]}({list(known_shape(value) or ())})"


RULE = Rule(
    ops=("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"),
    apply=_apply,
    examples=(
        Example(
            "y = tf.layers.batch_normalization(images, training=True)",
            "tf.compat.v1.nn.fused_batch_norm(images, self.",
        ),
        Example(
            "x = tf.layers.conv2d(images, 4, 3)\n"
            "y = tf.layers.batch_normalization(x, scale=False, training=True, epsilon=0.01)",
            "tf.compat.v1.nn.fused_batch_norm(self.conv2d(images), tf.ones([4]), self.batch_normalization_beta, "
            "epsilon=0.01)[0]",
        ),
        Example("y, mean, _ = tf.nn.fused_batch_norm(images, tf.ones([3]), tf.zeros([3]))\ny += mean", ""),
    ),
)
