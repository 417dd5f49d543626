"""Cross entropy after softmax, whose second value is for the gradient alone: the public function has one value."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value

_FUNCTIONS = {
    "SparseSoftmaxCrossEntropyWithLogits": "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "SoftmaxCrossEntropyWithLogits": "tf.nn.softmax_cross_entropy_with_logits",
}


def _apply(node: Node, context: Context) -> Node | None:
    logits, labels = node.inputs
    if context.is_used(Value(node, 1)) or node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    ranks = 2, (1 if node.op.startswith("Sparse") else 2)
    if any(len(shape_of(value) or ()) != rank for value, rank in zip((logits, labels), ranks, strict=True)):
        return None
    return expression_node(node, f"{_FUNCTIONS[node.op]}(_0, _1)", [labels, logits])


RULE = Rule(
    ops=tuple(_FUNCTIONS),
    apply=_apply,
    examples=(
        Example(
            "y = tf.nn.softmax_cross_entropy_with_logits(labels=tf.stop_gradient(rows), logits=rows)",
            "tf.nn.softmax_cross_entropy_with_logits(",
        ),
        Example(
            "y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.argmax(rows, 1), logits=rows)",
            "tf.nn.sparse_softmax_cross_entropy_with_logits(tf.argmax(rows, 1), rows)",
        ),
    ),
)
