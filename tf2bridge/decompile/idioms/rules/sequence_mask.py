"""Which steps of each row are before its end: `tf.sequence_mask`."""

from __future__ import annotations

import numpy as np

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_PATTERNS = ("Less(steps, Cast(ExpandDims(lengths, axis)))", "Less(steps, ExpandDims(lengths, axis))")


def _apply(node: Node, context: Context) -> Node | None:
    mask, dtype = Value(node, 0), ""
    if node.op == "Cast":
        mask, dtype = node.inputs[0], literal(node.outputs[0].dtype)
        if not context.is_only_used_once(mask):
            return None
    elif any(user is not None and user.op == "Cast" for user in context.users(mask)[:1]):
        return None  # the cast is a part
    names = next(filter(None, (match(mask, pattern) for pattern in _PATTERNS)), None)
    if names is None or mask.node.after or shape_of(names["lengths"]) is None:
        return None
    rank = len(shape_of(names["lengths"]) or ())
    count = _count(names["steps"], names["lengths"], rank) if number(names["axis"]) in (-1, rank) else None
    if count is None:
        return None
    inputs = [names["lengths"], *([count] if isinstance(count, Value) else [])]
    text = ", _1" if isinstance(count, Value) else count
    further = f", dtype={dtype}" if dtype and not text else f", {dtype}" if dtype else ""
    return expression_node(node, f"tf.sequence_mask(_0{text}{further})", inputs)


def _count(steps: Value, lengths: Value, rank: int) -> Value | str | None:
    """Returns how many steps there are: a value, or the text of an argument, or None if these are no steps."""
    array, names = array_of(steps), match(steps, "Range(0, count, 1)")
    if steps.spec.dtype.name not in ("int32", "int64"):
        return None
    if array is not None:
        return f", {array.size}" if np.array_equal(array, np.arange(array.size)) else None
    if names is None:
        return None
    if match(names["count"], "Maximum(0, Max(lengths, axes))", {"lengths": lengths}) is None:
        return names["count"]
    return "" if _takes_all(names["count"], rank) else None


def _takes_all(count: Value, rank: int) -> bool:
    """Returns True if the largest length is that of all axes."""
    largest = next(value.node for value in count.node.inputs if value.node.op == "Max")
    axes = array_of(largest.inputs[1])
    return axes is not None and axes.size == rank and not largest.attributes["keep_dims"]


RULE = Rule(
    ops=("Less", "Cast"),
    apply=_apply,
    examples=(
        Example("y = tf.sequence_mask(numbers[:, 0], 7)", "tf.sequence_mask(numbers[:, 0], 7)"),
        Example("y = tf.sequence_mask(numbers, dtype=tf.float32)", "tf.sequence_mask(numbers, dtype=tf.float32)"),
        Example(
            "y = tf.sequence_mask(numbers[:, 0], tf.shape(rows)[0], tf.float32)",
            "tf.sequence_mask(numbers[:, 0], tf.shape(rows)[0], tf.float32)",
        ),
        Example("y = tf.range(1, 6) < numbers", ""),
    ),
    is_last=True,
)
