"""Softmax along an axis of a tensor of rank 3 or more, which early releases compute of a matrix: `tf.nn.softmax`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of
from tf2bridge.decompile.sizes import are_sizes_of, sizes_of

_FUNCTIONS = {"Softmax": "tf.nn.softmax", "LogSoftmax": "tf.nn.log_softmax"}


def _apply(node: Node, _context: Context) -> Node | None:
    return _along_last(node) if node.op == "Reshape" else _along_another(node)


def _along_last(node: Node) -> Node | None:
    """Returns the node for rows of the last axis, which are reshaped back."""
    computed, sizes = node.inputs
    names = match(computed, "(Softmax | LogSoftmax)(Reshape(x, rows))")
    shape, rows = (shape_of(names["x"]), shape_of(computed.node.inputs[0])) if names else (None, None)
    if names is None or not shape or rows is None or len(rows) != 2 or rows[-1] is None or rows[-1] != shape[-1]:
        return None
    wanted = sizes_of(sizes)
    if len(wanted) != len(shape) or not are_sizes_of(wanted, names["x"]):
        return None
    return expression_node(node, f"{_FUNCTIONS[computed.node.op]}(_0)", [names["x"]], is_elementwise=True)


def _along_another(node: Node) -> Node | None:
    """Returns the node for an axis that changes its place with the last one, and back."""
    names = match(Value(node, 0), "Transpose(computed, order)")
    names = match(names["computed"], "(Softmax | LogSoftmax)(Transpose(x, first))", names) if names else None
    first, order = (array_of(names[name]) for name in ("first", "order")) if names else (None, None)
    if names is None or first is None or order is None or first.tolist() != order.tolist():
        return None
    moved = [axis for axis, other in enumerate(order.tolist()) if axis != other]
    if len(moved) != 2 or moved[1] != order.size - 1:
        return None
    template = f"{_FUNCTIONS[names['computed'].node.op]}(_0, {moved[0]})"
    return expression_node(node, template, [names["x"]], is_elementwise=True)


_ROWS = "rows_of = tf.reshape(images, [-1, 3])\n"
RULE = Rule(
    ops=("Reshape", "Transpose"),
    apply=_apply,
    examples=(
        Example(_ROWS + "y = tf.reshape(tf.nn.softmax(rows_of), tf.shape(images))", "tf.nn.softmax(images)"),
        Example(_ROWS + "y = tf.reshape(tf.nn.log_softmax(rows_of), [-1, 8, 8, 3])", "tf.nn.log_softmax(images)"),
        Example("y = tf.nn.softmax(images, 1)", "tf.nn.softmax(images, 1)"),
        Example(_ROWS + "y = tf.reshape(tf.nn.softmax(rows_of), [-1, 16, 4, 3])", ""),
        Example("y = tf.transpose(tf.nn.softmax(tf.transpose(images, [0, 2, 3, 1])), [0, 2, 3, 1])", ""),
    ),
)
