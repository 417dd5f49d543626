"""Exponentials divided by their sum, after the largest number was taken off: `tf.nn.softmax`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value

_PATTERNS = ("Exp(Sub(x, largest))", "Exp(Sub(x, StopGradient(largest)))")


def _apply(node: Node, _context: Context) -> Node | None:
    powers, total = node.inputs
    for pattern in _PATTERNS:
        if (names := match(powers, pattern)) is not None:
            x, largest = names["x"], names["largest"]
            axis = _axis(total, "Sum", powers)
            if axis is not None and axis == _axis(largest, "Max", x):
                is_last = axis == len(shape_of(x) or ()) - 1
                template = f"tf.nn.softmax(_0{'' if is_last else f', {axis}'})"
                return expression_node(node, template, [x], is_elementwise=True)
    return None


def _axis(value: Value, op: str, reduced: Value) -> int | None:
    """Returns the axis that a value reduces another one along, and keeps; None if it is not one such axis."""
    names, shape = match(value, f"{op}(reduced, axis)", {"reduced": reduced}), shape_of(reduced)
    axis = number(names["axis"]) if names and value.node.attributes["keep_dims"] else None
    return None if axis is None or not shape else int(axis) % len(shape)


_EXPONENTIALS = "powers = tf.exp(images - tf.reduce_max(images, {}, keepdims=True))\n"
RULE = Rule(
    ops=("RealDiv",),
    apply=_apply,
    examples=(
        Example(
            _EXPONENTIALS.format(-1) + "y = powers / tf.reduce_sum(powers, -1, keepdims=True)", "tf.nn.softmax(images)"
        ),
        Example(
            _EXPONENTIALS.format(1) + "y = powers / tf.reduce_sum(powers, 1, keepdims=True)", "tf.nn.softmax(images, 1)"
        ),
        Example(_EXPONENTIALS.format(1) + "y = powers / tf.reduce_sum(powers, 2, keepdims=True)", ""),
        Example("powers = tf.exp(images)\ny = powers / tf.reduce_sum(powers, -1, keepdims=True)", ""),
    ),
)
