"""Cross entropy after a sigmoid, spelt out as TensorFlow does: `tf.nn.sigmoid_cross_entropy_with_logits`.

With a weight for positive labels it is `tf.nn.weighted_cross_entropy_with_logits`.
"""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_IS_POSITIVE = "GreaterEqual(x, zeros)"
_CHOSEN = "(Select | SelectV2)"
_LOSS = (
    f"Add(Sub({_CHOSEN}({_IS_POSITIVE}, x, zeros), Mul(x, labels)), Log1p(Exp({_CHOSEN}({_IS_POSITIVE}, Neg(x), x))))"
)
_SOFTPLUS = "Add(Log1p(Exp(Neg(Abs(x)))), Relu(Neg(x)))"
_WEIGHTED = f"Add(Mul(Sub(1.0, labels), x), Mul(Add(1.0, weighted), {_SOFTPLUS}))"


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(Value(node, 0), _LOSS)
    if names is not None and _is_zero(names["zeros"], names["x"]):
        template = "tf.nn.sigmoid_cross_entropy_with_logits(_0, _1)"
        labels, logits = names["labels"], names["x"]
        has_rank = shape_of(labels) is not None and shape_of(logits) is not None
        keras = "keras.ops.binary_crossentropy(_0, _1, from_logits=True)" if has_rank else None
        return expression_node(node, template, [labels, logits], keras=keras)
    names = match(Value(node, 0), _WEIGHTED)
    weighted = match(names["weighted"], "Mul(more, labels)", names) if names else None
    more = 1.0 if names and names["weighted"] == names["labels"] else number(weighted["more"]) if weighted else None
    if names is None or more is None:
        return None
    weight = literal(shortest(1.0 + shortest(more)))
    template = f"tf.nn.weighted_cross_entropy_with_logits(_0, _1, {weight})"
    return expression_node(node, template, [names["labels"], names["x"]])


def _is_zero(value: Value, x: Value) -> bool:
    array = array_of(value)
    return match(value, "ZerosLike(x)", {"x": x}) is not None or (array is not None and not array.any())


RULE = Rule(
    ops=("Add", "AddV2"),
    apply=_apply,
    examples=(
        Example(
            "y = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(rows), logits=rows)",
            "tf.nn.sigmoid_cross_entropy_with_logits(tf.sigmoid(rows), rows)",
        ),
        Example(
            "y = tf.nn.weighted_cross_entropy_with_logits(tf.sigmoid(rows), rows, 2.5)",
            "tf.nn.weighted_cross_entropy_with_logits(tf.sigmoid(rows), rows, 2.5)",
        ),
        Example(
            "y = tf.where(rows >= 0.5, rows, rows * 0.0) - rows * tf.exp(rows) + "
            "tf.log1p(tf.exp(tf.where(rows >= 0.5, -rows, rows)))",
            "",
        ),
    ),
)
