"""Rows divided by the root of the mean of their squares, with a scale: `keras.layers.RMSNormalization`.

Zhang and Sennrich, 2019. TensorFlow 1.x has no function for it.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, layer_node, scope_of, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_INVERSE = "Rsqrt(Add(mean, epsilon))"
_PATTERNS = (
    f"Mul(Mul(x, {_INVERSE}), scale)",
    f"Mul(x, Mul({_INVERSE}, scale))",
    "Mul(RealDiv(x, Sqrt(Add(mean, epsilon))), scale)",
)
_MEANS = ("Mean(Square(x), axes)", "Mean(Mul(x, x), axes)", "Mean(Pow(x, 2.0), axes)")
_DEFAULT = 1e-6


def _apply(node: Node, context: Context) -> Node | None:
    for pattern in _PATTERNS:
        names = match(Value(node, 0), pattern)
        for mean in _MEANS if names else ():
            with_mean = match(names["mean"], mean, names) if names else None
            if with_mean and (layer := _layer(node, with_mean, context)):
                return layer
    return None


def _layer(node: Node, names: dict[str, Value], context: Context) -> Node | None:
    epsilon, axes, shape = number(names["epsilon"]), array_of(names["axes"]), shape_of(names["x"])
    scale = context.variable(names["scale"])
    if scale is None or not epsilon or axes is None or not shape or shape[-1] is None:
        return None
    if [axis % len(shape) for axis in axes.reshape(-1).tolist()] != [len(shape) - 1]:
        return None
    if not names["mean"].node.attributes["keep_dims"] or shape_of(names["scale"]) != shape[-1:]:
        return None
    if node.outputs[0].dtype.name != "float32":
        return None
    keywords = () if shortest(epsilon) == _DEFAULT else (("epsilon", shortest(epsilon)),)
    layer = Layer("keras.layers.RMSNormalization", (), (("scale", scale),), keywords, scope_of(node.name))
    return layer_node(node, layer, [names["x"]])


_SCALE = "g = tf.get_variable('g', [4])\n"
_SQUARES = "s = tf.reduce_mean(tf.square(rows), -1, keepdims=True)\n"
RULE = Rule(
    ops=("Mul",),
    apply=_apply,
    examples=(
        Example(f"{_SCALE}{_SQUARES}y = rows * tf.rsqrt(s + 1e-6) * g", "keras.layers.RMSNormalization()"),
        Example(
            f"{_SCALE}{_SQUARES}y = g * (rows / tf.sqrt(s + 1e-8))", "keras.layers.RMSNormalization(epsilon=1e-08)"
        ),
        Example(
            f"{_SCALE}s = tf.reduce_mean(tf.square(rows), 0, keepdims=True)\ny = rows * tf.rsqrt(s + 1e-6) * g", ""
        ),
    ),
)
