"""Cross entropy after softmax, whose second value is for the gradient alone: the public function has one value.

TensorFlow 1.x computes it of a matrix; for tensors of higher rank it reshapes around, as the public function does.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value
from tf2bridge.decompile.sizes import are_sizes_of, sizes_of

_FUNCTIONS = {
    "SparseSoftmaxCrossEntropyWithLogits": (
        "tf.nn.sparse_softmax_cross_entropy_with_logits",
        "keras.ops.sparse_categorical_crossentropy",
    ),
    "SoftmaxCrossEntropyWithLogits": (
        "tf.nn.softmax_cross_entropy_with_logits",
        "keras.ops.categorical_crossentropy",
    ),
}


def _apply(node: Node, context: Context) -> Node | None:
    loss = node.inputs[0].node if node.op == "Reshape" else node
    if loss.op not in _FUNCTIONS or context.is_used(Value(loss, 1)):
        return None
    if node.outputs[0].dtype.name not in ("float32", "float64"):
        return None
    is_sparse = loss.op.startswith("Sparse")
    inputs = _before_reshape(node, loss, is_sparse) if node.op == "Reshape" else loss.inputs
    if inputs is None or (node.op != "Reshape" and not _are_rows(inputs, is_sparse)):
        return None
    logits, labels = inputs
    function, keras = _FUNCTIONS[loss.op]
    return expression_node(node, f"{function}(_0, _1)", [labels, logits], keras=f"{keras}(_0, _1, from_logits=True)")


def _are_rows(inputs: list[Value], is_sparse: bool) -> bool:
    """Returns True if logits are a matrix and labels fit."""
    ranks = 2, (1 if is_sparse else 2)
    return all(len(shape_of(value) or ()) == rank for value, rank in zip(inputs, ranks, strict=True))


def _before_reshape(node: Node, loss: Node, is_sparse: bool) -> list[Value] | None:
    """Returns logits and labels of rank 3 or more whose losses of rows are reshaped to the other axes."""
    reshaped = [match(value, "Reshape(x, sizes)") for value in loss.inputs]
    inputs = [names["x"] for names in reshaped if names]
    shapes = [shape_of(value) or () for value in inputs]
    if len(inputs) != 2 or len(shapes[0]) < 3 or len(shapes[0]) != len(shapes[1]) + is_sparse:
        return None
    rows = shape_of(loss.inputs[0])
    sizes = sizes_of(node.inputs[1])
    if rows is None or len(rows) != 2 or rows[1] is None or rows[1] != shapes[0][-1]:
        return None
    if not is_sparse and (shape_of(loss.inputs[1]) or ())[1:] != rows[1:]:
        return None
    is_shape = any(are_sizes_of(sizes, value) for value in inputs)
    return inputs if len(sizes) == len(shapes[0]) - 1 and is_shape else None


RULE = Rule(
    ops=(*_FUNCTIONS, "Reshape"),
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
        Example(
            "y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.argmax(images, 3), logits=images)",
            "tf.nn.sparse_softmax_cross_entropy_with_logits(tf.argmax(images, 3), images)",
        ),
        Example(
            "y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.one_hot(tf.argmax(images, 3), 3), logits=images)",
            "tf.nn.softmax_cross_entropy_with_logits(",
        ),
    ),
)
