"""`x * tf.sigmoid(x)`: `tf.nn.silu` (Elfwing et al., 2017), which TensorFlow 1.x calls `tf.nn.swish`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Kind, Node, Value

_SILU = "Mul(x, Sigmoid(x))"
_GRADIENT = "Mul(upstream, Mul(Sigmoid(x), Add(1.0, Mul(x, Sub(1.0, Sigmoid(x))))))"


def _apply(node: Node, context: Context) -> Node | None:
    names = _of_function(node) if node.op == Kind.CALL else match(Value(node, 0), _SILU)
    if names is None or context.is_in_condition(node):  # there, TensorFlow cannot differentiate functions such as silu
        return None
    return expression_node(node, "tf.nn.silu(_0)", [names["x"]], is_elementwise=True, keras="keras.ops.silu(_0)")


def _of_function(node: Node) -> dict[str, Value] | None:
    """Returns what `x` stands for, if a function with a gradient of its own is silu, as `tf.nn.swish` of 1.12 is."""
    body, backward = node.bodies
    parameters = [Value(parameter, 0) for parameter in (*body.parameters, *backward.parameters)]
    if len(parameters) != 3 or len(node.outputs) != 1:  # of the function: x; of its gradient: x, and that of the result
        return None
    x, x_again, upstream = parameters[0], parameters[1], parameters[-1]
    forward = match(body.results[0], _SILU, {"x": x})
    gradient = match(backward.results[0], _GRADIENT, {"x": x_again, "upstream": upstream})
    return {"x": node.inputs[0]} if forward and gradient else None


RULE = Rule(
    ops=("Mul", Kind.CALL),
    apply=_apply,
    examples=(
        Example("y = rows * tf.sigmoid(rows)", "tf.nn.silu(rows)"),
        Example("y = tf.sigmoid(rows) * rows", "tf.nn.silu(rows)"),
        Example("y = rows * tf.sigmoid(1.5 * rows)", ""),
        Example("y = tf.cond(rows[0, 0] > 0, lambda: rows * tf.sigmoid(rows), lambda: rows)", ""),
    ),
)
