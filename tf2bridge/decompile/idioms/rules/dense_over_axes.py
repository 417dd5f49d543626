"""Rows of a tensor of rank 3 or more, a layer, the shape as before: `keras.layers.Dense` of the tensor itself.

`tf.tensordot` and `tf.layers.dense` write this in TensorFlow 1.x.
"""

from __future__ import annotations

from dataclasses import replace

from tf2bridge.decompile.idioms.layer import extended, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value

Size = int | tuple[Value, int] | None
"""A number, or the size of a value along an axis; None if it is neither."""


def _apply(node: Node, context: Context) -> Node | None:
    called = node.inputs[0].node
    if called.op != Kind.LAYER or not context.is_only_used_once(node.inputs[0]):
        return None
    layer, rows = called.attributes["layer"], called.inputs[0].node
    if layer.kind != "keras.layers.Dense" or rows.op != "Reshape":
        return None
    x = rows.inputs[0]
    shape, row = shape_of(x), shape_of(Value(rows, 0))
    if shape is None or row is None or len(shape) < 3 or shape[-1] is None or shape[-1] != row[-1]:
        return None
    if not _is_shape_but_for_last(_sizes(node.inputs[1]), x, layer.positional[0]):
        return None
    if layer.scope.endswith("/Tensordot"):
        layer = replace(layer, scope=scope_of(layer.scope))
    return extended(node, called, layer, [x], (*shape[:-1], layer.positional[0]))


def _is_shape_but_for_last(sizes: list[Size], x: Value, last: int) -> bool:
    """Returns True if sizes are those of `x`, but for the last one."""
    shape = shape_of(x) or ()
    if len(sizes) != len(shape) or sizes[-1] != last or sizes.count(-1) > 1:
        return False
    given = zip(sizes[:-1], shape, strict=False)
    return all(
        size in (-1, (x, axis)) or (size is not None and size == known) for axis, (size, known) in enumerate(given)
    )


def _sizes(value: Value) -> list[Size]:
    """Returns what a shape that is computed consists of."""
    node = value.node
    if node.op == "Const":
        return [int(size) for size in node.attributes["value"].reshape(-1)]
    if node.op == "Pack":
        return [size for part in node.inputs for size in _sizes(part)]
    if node.op == "ConcatV2":
        return [size for part in node.inputs[:-1] for size in _sizes(part)]
    if node.op in ("Gather", "GatherV2", "StridedSlice") and node.inputs[0].node.op == "Shape":
        axes = _axes(node)
        return [None] if axes is None else [(node.inputs[0].node.inputs[0], axis) for axis in axes]
    return [None]


def _axes(node: Node) -> list[int] | None:
    """Returns the places in a shape that a node takes, or None."""
    if any(value.node.op != "Const" for value in node.inputs[1:]):
        return None
    start, *more = (value.node.attributes["value"].reshape(-1).tolist() for value in node.inputs[1:])
    if node.op != "StridedSlice":
        return list(start)
    masks = [node.attributes[f"{name}_mask"] for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")]
    if masks == [0, 0, 0, 0, 1]:
        return list(start) if start[0] >= 0 else None
    simple = masks[1:] == [0, 0, 0, 0] and more[1] == [1] and start[0] >= 0 and more[0][0] > 0
    return list(range(0 if masks[0] else start[0], more[0][0])) if simple else None


RULE = Rule(
    ops=("Reshape",),
    apply=_apply,
    examples=(
        Example("y = tf.layers.dense(images, 4)", "keras.layers.Dense(4)"),
        Example(
            "x = tf.placeholder_with_default(images, [None, None, None, 3])\ny = tf.layers.dense(x, 4, tf.nn.relu)",
            "keras.layers.Dense(4, activation='relu')",
        ),
        Example(
            "w = tf.get_variable('w', [3, 5])\ny = tf.tensordot(images, w, 1)", "keras.layers.Dense(5, use_bias=False)"
        ),
        Example(
            "x = tf.layers.dense(tf.reshape(images, [-1, 3]), 5, tf.tanh)\ny = tf.reshape(x, [-1, 8, 8, 5])",
            "keras.layers.Dense(5, activation='tanh')",
        ),
        Example("x = tf.layers.dense(tf.reshape(images, [-1, 3]), 5)\ny = tf.reshape(x, [-1, 4, 16, 5])", ""),
    ),
)
