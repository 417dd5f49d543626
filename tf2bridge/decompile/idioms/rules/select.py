"""A choice between values by a condition: `tf.where`. A condition for each row gets the axes that `tf.where` needs.

A tensor of one number, of the shape of the other one, is this number.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of


def _apply(node: Node, _context: Context) -> Node | None:
    condition, first, second = (shape_of(value) for value in node.inputs)
    if first is None or second is None or condition is None or len(first) != len(second):
        return None
    if len(condition) == len(first) != 0 and (number := _one_number(node)) is not None:
        return number
    if condition == () or (len(condition) == len(first) and (len(first) != 1 or condition == first)):
        return expression_node(node, "tf.where(_0, _1, _2)", node.inputs, keras="keras.ops.where(_0, _1, _2)")
    if len(condition) == 1 and len(first) > 1:
        axes, of_keras = (", ".join([":", *[axis] * (len(first) - 1)]) for axis in ("tf.newaxis", "None"))
        by_keras = f"keras.ops.where(_0[{of_keras}], _1, _2)"
        return expression_node(node, f"tf.where(_0[{axes}], _1, _2)", node.inputs, keras=by_keras)
    return None


def _one_number(node: Node) -> Node | None:
    """Returns the choice between a tensor and one number, or None if it is between two tensors."""
    condition, first, second = node.inputs
    if shape_of(condition) != shape_of(first) or shape_of(condition) != shape_of(second):
        return None
    for filled, other, text in ((second, first, "where(_0, _1, {})"), (first, second, "where(_0, {}, _1)")):
        number = _filling(filled, other)
        if number is not None:
            call = text.format(literal(number))
            return expression_node(node, f"tf.{call}", [condition, other], keras=f"keras.ops.{call}")
    return None


def _filling(filled: Value, other: Value) -> Any:
    """Returns the number that fills a tensor of float32 of the shape of another one, or None."""
    if filled.spec.dtype.name != "float32":
        return None
    array, shape = array_of(filled), known_shape(other)
    if array is not None:
        return array.flat[0] if array.size > 1 and (array == array.flat[0]).all() and array.shape == shape else None
    names = match(filled, "Fill(sizes, filling)")
    if names is None:
        return None
    sizes = array_of(names["sizes"])
    has_shape = match(names["sizes"], "Shape(x)", {"x": other}) is not None
    if has_shape or (sizes is not None and shape is not None and tuple(sizes.tolist()) == shape):
        return array_of(names["filling"])
    return None


RULE = Rule(
    ops=("Select",),
    apply=_apply,
    examples=(
        Example("y = tf.where(rows > 0.5, rows, -rows)", "tf.where(rows > 0.5, rows, -rows)"),
        Example(
            "y = tf.where(tf.reduce_sum(rows, 1) > 2.0, rows, -rows)",
            "tf.where((tf.reduce_sum(rows, 1) > 2.0)[:, tf.newaxis], rows, -rows)",
        ),
        Example(
            "y = tf.where(tf.reduce_sum(rows, 1) > 2.0, images, -images)", "[:, tf.newaxis, tf.newaxis, tf.newaxis]"
        ),
        Example("y = tf.where(tf.reduce_sum(rows, 1) > 2.0, rows[:, 0], rows[:, 1])", "tf.where("),
        Example(
            "y = tf.where(rows > 0.5, rows, tf.fill(tf.shape(rows), 1.0) * -1e9)",
            "tf.where(rows > 0.5, rows, -1000000000.0)",
        ),
        Example("y = tf.where(rows > 0.5, tf.fill(tf.shape(rows), 2.0), rows)", "tf.where(rows > 0.5, 2.0, rows)"),
    ),
    is_last=True,
)
