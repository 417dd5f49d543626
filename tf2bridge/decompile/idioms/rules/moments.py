"""A mean and a variance that no layer has taken: `tf.nn.moments`."""

from __future__ import annotations

from collections.abc import Mapping

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of
from tf2bridge.decompile.keras_calls import keras_literal


def _apply(node: Node, context: Context) -> Mapping[Value, Value] | None:
    variance = Value(node, 0)
    names = match(variance, "Mean(SquaredDifference(x, StopGradient(mean)), axes)")
    names = match(names["mean"], "Mean(x, axes_of_mean)", names) if names else None
    if names is None or node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    axes, other = (array_of(names[name]) for name in ("axes", "axes_of_mean"))
    mean = names["mean"]
    if axes is None or other is None or axes.tolist() != other.tolist():
        return None
    if not all(value.node.attributes["keep_dims"] for value in (mean, variance)):
        return None
    results = _without_axes(mean, variance, axes.reshape(-1).tolist(), context)
    with_axes = results is None
    results = results or {mean: 0, variance: 1}
    further = ", keepdims=True" if with_axes else ""
    template = f"tf.nn.moments(_0, {literal(axes)}{further})"
    # Shapes that are known later, as in a loop, do not follow from a call of Keras.
    keras = f"keras.ops.moments(_0, {keras_literal(axes)}{further})" if shape_of(mean) is not None else None
    moments = expression_node(node, template, [names["x"]], keras=keras)
    first, second = results
    moments.name = f"{node.name.rpartition('/')[0]}/moments"
    moments.outputs = [first.spec, second.spec]
    return {value: Value(moments, port) for value, port in results.items()}


def _without_axes(mean: Value, variance: Value, axes: list[int], context: Context) -> dict[Value, int] | None:
    """Returns both moments with their axes taken out, if all users take them so. The variance takes the mean itself."""
    squeezed = []
    for value in (mean, variance):
        users = [user for user in context.users(value) if user is None or user.op != "StopGradient"]
        if len(users) != 1 or users[0] is None or users[0].op != "Squeeze":
            return None
        if sorted(users[0].attributes["squeeze_dims"]) != sorted(axes) or shape_of(Value(users[0], 0)) is None:
            return None
        squeezed.append(Value(users[0], 0))
    return {value: port for port, value in enumerate(squeezed)}


RULE = Rule(
    ops=("Mean",),
    apply=_apply,
    examples=(
        Example("m, v = tf.nn.moments(images, [1, 2])\ny = m / v", "tf.nn.moments(images, [1, 2])"),
        Example(
            "m, v = tf.nn.moments(images, [0, 1], keep_dims=True)\ny = images * m / v",
            "tf.nn.moments(images, [0, 1], keepdims=True)",
        ),
        Example("m, v = tf.nn.moments(rows, 1)\ny = m / v", "tf.nn.moments(rows, 1)"),
        Example("m = tf.reduce_mean(images, [1])\ny = tf.reduce_mean(tf.squared_difference(images, 0.5)) * m", ""),
    ),
    is_last=True,
)
