"""The root of a sum of squares along axes: `tf.norm`, as TensorFlow defines it."""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of
from tf2bridge.decompile.keras_calls import keras_literal


def _apply(node: Node, context: Context) -> Node | None:
    root = node.inputs[0] if node.op == "Squeeze" else Value(node, 0)
    names = match(root, "Sqrt(Sum(Mul(x, x), axes))")
    axes = array_of(names["axes"]) if names else None
    if names is None or axes is None or not axes.size or not root.node.inputs[0].node.attributes["keep_dims"]:
        return None
    numbers = axes.reshape(-1).tolist()
    if node.op == "Squeeze" and node.attributes["squeeze_dims"] != numbers:
        return None
    if node.op == "Sqrt" and any(user is not None and user.op == "Squeeze" for user in context.users(root)):
        return None  # it is a part of the norm without these axes
    axis = numbers[0] if len(numbers) == 1 else numbers
    further = ", keepdims=True" if node.op == "Sqrt" else ""
    fits = len(numbers) <= 2 and shape_of(root) is not None
    keras = f"keras.ops.norm(_0, axis={keras_literal(axis)}{further})" if fits else None
    return expression_node(node, f"tf.norm(_0, axis={literal(axis)}{further})", [names["x"]], keras=keras)


RULE = Rule(
    ops=("Sqrt", "Squeeze"),
    apply=_apply,
    examples=(
        Example("y = tf.norm(rows, axis=1)", "tf.norm(rows, axis=1)"),
        Example("y = tf.norm(images, axis=[1, 2], keepdims=True)", "tf.norm(images, axis=[1, 2], keepdims=True)"),
        Example("y = tf.sqrt(tf.reduce_sum(rows * tf.sigmoid(rows), 1, keepdims=True))", ""),
    ),
    is_last=True,
)
