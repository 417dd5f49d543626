"""An activation of a layer's result that nobody else uses: the layer has the activation."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import TAKE_BIAS_AND_ACTIVATION, extended
from tf2bridge.decompile.idioms.rule import Context, Example, Rule
from tf2bridge.decompile.ir import Kind, Node

_NAMES = {
    "Relu": "relu",
    "Relu6": "relu6",
    "Tanh": "tanh",
    "Sigmoid": "sigmoid",
    "Elu": "elu",
    "Selu": "selu",
    "Softplus": "softplus",
    "Softsign": "softsign",
}


def _apply(node: Node, context: Context) -> Node | None:
    (before,) = node.inputs
    called = before.node
    if called.op != Kind.LAYER or not context.is_only_used_once(before):
        return None
    layer = called.attributes["layer"]
    if layer.kind not in TAKE_BIAS_AND_ACTIVATION or "activation" in dict(layer.keywords):
        return None
    return extended(node, called, layer.but(activation=_NAMES[node.op]), called.inputs)


RULE = Rule(
    ops=tuple(_NAMES),
    apply=_apply,
    examples=(
        Example("y = tf.layers.dense(rows, 3, tf.nn.relu)", "keras.layers.Dense(3, activation='relu')"),
        Example("x = tf.layers.dense(rows, 3)\ny = tf.tanh(x) + x", ""),
        Example(
            "w = tf.get_variable('w', [4, 3])\ny = tf.matmul(rows, w) + tf.nn.relu(tf.matmul(rows * 2.0, w))",
            "",
        ),
    ),
)
