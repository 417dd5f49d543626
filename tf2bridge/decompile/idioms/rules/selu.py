"""The scaled exponential linear unit, spelt out: `tf.nn.selu` (Klambauer et al., 2017, who give both numbers).

TensorFlow has an operation for it from 1.4 on.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Value

_BELOW = ("Mul(1.6732632, Elu(x))", "Sub(Mul(1.6732632, Exp(x)), 1.6732632)", "Mul(1.6732632, Sub(Exp(x), 1.0))")
_IS_ABOVE = ("GreaterEqual(x, zero)", "Greater(x, zero)")


def _apply(node: Node, _context: Context) -> Node | None:
    for is_above in _IS_ABOVE:
        for below in _BELOW:
            names = match(Value(node, 0), f"Mul(1.0507010, (Select | SelectV2)({is_above}, x, {below}))")
            if names and _is_zero(names["zero"], names["x"]):
                keras = "keras.ops.selu(_0)"
                return expression_node(node, "tf.nn.selu(_0)", [names["x"]], is_elementwise=True, keras=keras)
    return None


def _is_zero(value: Value, x: Value) -> bool:
    return match(value, "0.0") is not None or match(value, "ZerosLike(x)", {"x": x}) is not None


_NUMBERS = "alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946\n"
RULE = Rule(
    ops=("Mul",),
    apply=_apply,
    examples=(
        Example(f"{_NUMBERS}y = scale * tf.where(rows >= 0.0, rows, alpha * tf.nn.elu(rows))", "tf.nn.selu(rows)"),
        Example(f"{_NUMBERS}y = scale * tf.where(rows > 0.0, rows, alpha * tf.exp(rows) - alpha)", "tf.nn.selu(rows)"),
        Example("y = 1.05 * tf.where(rows >= 0.0, rows, 1.67 * tf.nn.elu(rows))", ""),
    ),
)
