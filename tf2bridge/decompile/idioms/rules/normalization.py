"""Normalization by a mean and a variance that are no moving averages: `tf.nn.batch_normalization`."""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.normalized import WITH_OFFSET, WITHOUT_OFFSET
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value


def _apply(node: Node, context: Context) -> Node | None:
    for pattern in (*WITH_OFFSET, *WITHOUT_OFFSET):  # computed in the same order by the function
        names = match(Value(node, 0), pattern)
        epsilon = number(names["epsilon"]) if names else None
        if names and epsilon is not None:
            parts = names["x"], names["mean"], names["variance"]
            may_be_a_layer = context.variable(parts[1]) or parts[1].node.op == "Mean"
            if may_be_a_layer and (shape_of(parts[0]) or (None,))[-1] is None:
                return None  # a layer may have it once the number of channels is known
            return _normalization(node, parts, names.get("beta"), names.get("gamma"), epsilon)
    return None


def _normalization(
    node: Node, parts: tuple[Value, Value, Value], beta: Value | None, gamma: Value | None, epsilon: float
) -> Node:
    """Returns the node of a normalization of the first of `parts` by the other two, a mean and a variance."""
    inputs: list[Value] = list(parts)
    texts = []
    for value in (beta, gamma):
        texts.append("None" if value is None else f"_{len(inputs)}")
        inputs += [] if value is None else [value]
    template = f"tf.nn.batch_normalization(_0, _1, _2, {', '.join(texts)}, {literal(epsilon)})"
    offset, scale = texts
    inverse = f"keras.ops.rsqrt(_2 + {literal(epsilon)})" + ("" if gamma is None else f" * {scale}")
    keras = f"(_0 - _1) * ({inverse})" + ("" if beta is None else f" + {offset}")
    return expression_node(node, template, inputs, keras=keras)


RULE = Rule(
    ops=("Add", "AddV2"),
    apply=_apply,
    examples=(
        Example(
            "m, v = tf.nn.moments(rows, [1], keep_dims=True)\n"
            "y = tf.nn.batch_normalization(rows, m, v, 0.5, None, 0.01)",
            "tf.nn.batch_normalization(rows, ",
        ),
        Example("y = tf.layers.batch_normalization(images)", ""),
        Example("y = rows * tf.rsqrt(rows + 0.1) - rows", ""),
    ),
)
