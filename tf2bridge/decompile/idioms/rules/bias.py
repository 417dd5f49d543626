"""A bias that is added to the result of a layer: the layer has a bias."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import TAKE_BIAS_AND_ACTIVATION, extended
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape
from tf2bridge.decompile.ir import Kind, Node


def _apply(node: Node, context: Context) -> Node | None:
    before, bias = node.inputs
    called = before.node
    if called.op != Kind.LAYER or not context.is_only_used_once(before):
        return None
    layer = called.attributes["layer"]
    name, sizes = context.variable(bias), known_shape(bias)
    if layer.kind not in TAKE_BIAS_AND_ACTIVATION or dict(layer.keywords).get("use_bias", True):
        return None
    first = dict(layer.keywords).get("data_format") == "channels_first"
    if name is None or sizes is None or len(sizes) != 1 or sizes[0] != _last_size(called, first):
        return None
    if first != (node.attributes.get("data_format") == "NCHW") or "activation" in dict(layer.keywords):
        return None
    return extended(node, called, layer.but(use_bias=None).holding(bias=name), called.inputs)


def _last_size(called: Node, first: bool) -> int | None:
    shape = called.outputs[0].shape
    return None if shape is None else shape[1 if first else -1]


RULE = Rule(
    ops=("BiasAdd", "BiasAddV1", "Add", "AddV2"),
    apply=_apply,
    examples=(
        Example("y = tf.layers.conv2d(images, 4, 3)", "keras.layers.Conv2D(4, 3)"),
        Example(
            "w = tf.get_variable('w', [4, 3])\nb = tf.get_variable('b', [3])\ny = tf.matmul(rows, w) + b",
            "keras.layers.Dense(3)",
        ),
        Example("w = tf.get_variable('w', [4, 3])\nb = tf.get_variable('b', [1])\ny = tf.matmul(rows, w) + b", ""),
    ),
)
