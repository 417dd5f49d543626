"""A tensor divided by its norm along axes: `tf.math.l2_normalize`, as TensorFlow defines it."""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Node, Value, array_of

_PATTERN = "Mul(x, Rsqrt(Maximum(sum, epsilon)))"
_DEFAULT = 1e-12


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(Value(node, 0), _PATTERN)
    squares = match(names["sum"], "Sum(Square(x), axes)", names) if names else None
    epsilon, axes = (number(squares["epsilon"]), array_of(squares["axes"])) if squares else (None, None)
    if squares is None or epsilon is None or axes is None or not squares["sum"].node.attributes["keep_dims"]:
        return None
    further = "" if shortest(epsilon) == _DEFAULT else f", {literal(shortest(epsilon))}"
    template = f"tf.math.l2_normalize(_0, {literal(axes)}{further})"
    return expression_node(node, template, [squares["x"]], is_elementwise=True)


RULE = Rule(
    ops=("Mul",),
    apply=_apply,
    examples=(
        Example("y = tf.nn.l2_normalize(rows, 1)", "tf.math.l2_normalize(rows, 1)"),
        Example("y = tf.nn.l2_normalize(images, [1, 2], 1e-10)", "tf.math.l2_normalize(images, [1, 2], 1e-10)"),
        Example("y = rows * tf.rsqrt(tf.maximum(tf.reduce_sum(tf.square(rows)), 1e-12))", ""),
    ),
)
