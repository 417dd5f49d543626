"""A rectifier whose slope below 0 is learned, for each channel: `keras.layers.PReLU` (He et al., 2015).

TensorFlow 1.x has no function for it; models spell it out in several ways.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value

_PATTERNS = (
    "Add({positive}, Mul(Mul(alpha, Sub(x, Abs(x))), 0.5))",
    "Add({positive}, Mul(alpha, Mul(Sub(x, Abs(x)), 0.5)))",
    "Add({positive}, Mul(alpha, Minimum(x, 0.0)))",
    "Add({positive}, Mul(Neg(alpha), Relu(Neg(x))))",
    "Sub({positive}, Mul(alpha, Relu(Neg(x))))",
)
_POSITIVE = ("Relu(x)", "Maximum(x, 0.0)")


def _apply(node: Node, context: Context) -> Node | None:
    matches = (match(Value(node, 0), pattern.format(positive=part)) for pattern in _PATTERNS for part in _POSITIVE)
    names = next(filter(None, matches), None)
    shape = shape_of(names["x"]) if names else None
    weight = context.weight(names["alpha"]) if names else None
    if names is None or weight is None or shape is None or len(shape) < 2 or shape[-1] is None:
        return None
    if shape_of(names["alpha"]) != shape[-1:] or node.outputs[0].dtype.name != "float32":
        return None
    shared = tuple(range(1, len(shape) - 1))
    keywords = (("shared_axes", shared),) if shared else ()
    alpha = weight.then(f"shape {' '.join(['1'] * len(shared))} {shape[-1]}") if shared else weight
    return layer_node(
        node, Layer("keras.layers.PReLU", (), (("alpha", alpha),), keywords, scope_of(node.name)), [names["x"]]
    )


_ALPHA = "a = tf.get_variable('a', [3])\n"
RULE = Rule(
    ops=("Add", "AddV2", "Sub"),
    apply=_apply,
    examples=(
        Example(
            f"{_ALPHA}y = tf.nn.relu(images) + a * (images - tf.abs(images)) * 0.5",
            "keras.layers.PReLU(shared_axes=(1, 2))",
        ),
        Example(
            f"{_ALPHA}y = tf.maximum(0.0, images) + a * tf.minimum(0.0, images)",
            "keras.layers.PReLU(shared_axes=(1, 2))",
        ),
        Example("a = tf.get_variable('a', [4])\ny = tf.nn.relu(rows) - a * tf.nn.relu(-rows)", "keras.layers.PReLU()"),
        Example(f"{_ALPHA}y = tf.nn.relu(images) + a * tf.minimum(1.0, images)", ""),
    ),
)
