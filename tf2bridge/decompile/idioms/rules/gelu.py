"""The Gaussian error linear unit, spelt out with erf or with tanh: `tf.nn.gelu` (Hendrycks and Gimpel, 2016)."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Value

_PRODUCTS = (
    "Mul(x, Mul(0.5, Add(1.0, inner)))",
    "Mul(Mul(0.5, x), Add(1.0, inner))",
    "Mul(0.5, Mul(x, Add(1.0, inner)))",
)
_WITH_ERF = ("Erf(RealDiv(x, 1.41421356))", "Erf(Mul(x, 0.70710678))")
_CUBES = ("Pow(x, 3.0)", "Mul(Square(x), x)", "Mul(Mul(x, x), x)")
_WITH_TANH = tuple(f"Tanh(Mul(0.79788456, Add(x, Mul(0.044715, {cube}))))" for cube in _CUBES)


def _apply(node: Node, _context: Context) -> Node | None:
    for product in _PRODUCTS:
        names = match(Value(node, 0), product)
        if names is None:
            continue
        if any(match(names["inner"], inner, names) for inner in _WITH_ERF):
            return _gelu(node, names["x"], "tf.nn.gelu(_0)", "keras.ops.gelu(_0, approximate=False)")
        if any(match(names["inner"], inner, names) for inner in _WITH_TANH):
            return _gelu(node, names["x"], "tf.nn.gelu(_0, approximate=True)", "keras.ops.gelu(_0)")
    return None


def _gelu(node: Node, x: Value, template: str, keras: str) -> Node:
    return expression_node(node, template, [x], is_elementwise=True, keras=keras)


RULE = Rule(
    ops=("Mul",),
    apply=_apply,
    examples=(
        Example("y = rows * 0.5 * (1.0 + tf.erf(rows / tf.sqrt(2.0)))", "tf.nn.gelu(rows)"),
        Example(
            "y = 0.5 * rows * (1 + tf.tanh(0.7978845608 * (rows + 0.044715 * tf.pow(rows, 3))))",
            "tf.nn.gelu(rows, approximate=True)",
        ),
        Example("y = rows * 0.5 * (1.0 + tf.erf(rows / 1.5))", ""),
    ),
)
