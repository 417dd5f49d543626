"""Normalization by moving averages: `keras.layers.BatchNormalization`, which does not train here."""

from __future__ import annotations

from typing import Any

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, keywords, layer_node, scope_of, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.normalized import INVERSES
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_SPELT_OUT = "Add(Mul(x, inverse), Sub(beta, Mul(mean, inverse)))"
_DEFAULTS = {"axis": -1, "epsilon": 1e-3, "center": True, "scale": True}


def _apply(node: Node, context: Context) -> Node | None:
    if node.op.startswith("FusedBatchNorm"):
        x, gamma, beta, mean, variance = node.inputs
        if node.attributes["is_training"] or any(context.is_used(Value(node, port)) for port in range(1, 6)):
            return None
        parts = {"x": x, "gamma": gamma, "beta": beta, "mean": mean, "variance": variance}
        axis = 1 if node.attributes["data_format"] == "NCHW" else -1
        return _layer(node, context, parts, node.attributes["epsilon"], axis)
    names = match(Value(node, 0), _SPELT_OUT)
    for inverse in INVERSES if names else ():
        with_inverse = match(names["inverse"], inverse, names) if names else None
        epsilon = number(with_inverse["epsilon"]) if with_inverse else None
        if with_inverse and epsilon is not None:
            return _layer(node, context, with_inverse, epsilon, -1)
    return None


def _layer(node: Node, context: Context, parts: dict[str, Value], epsilon: float, axis: int) -> Node | None:
    mean, variance = (context.variable(parts[name]) for name in ("mean", "variance"))
    shape = shape_of(parts["x"])
    if mean is None or variance is None or shape is None or shape[axis] is None or len(shape) < 2:
        return None
    if any(shape_of(parts[name]) != (shape[axis],) for name in ("mean", "variance")):
        return None
    weights, absent = {}, {}
    for name, switch, neutral in (("gamma", "scale", 1), ("beta", "center", 0)):
        value = parts.get(name)
        variable = context.variable(value) if value is not None else None
        if variable is not None and value is not None and shape_of(value) == (shape[axis],):
            weights[name] = variable
        elif value is None or _is_all(value, neutral):
            absent[switch] = False
        else:
            return None
    weights |= {"moving_mean": mean, "moving_variance": variance}
    further = keywords(_DEFAULTS, axis=axis, epsilon=shortest(epsilon), **absent)
    kind = (*further, *dtype_keyword(parts["mean"]))
    layer = Layer("keras.layers.BatchNormalization", (), tuple(weights.items()), kind, scope_of(node.name))
    return layer_node(node, layer, [parts["x"]])


def _is_all(value: Value, neutral: Any) -> bool:
    array = array_of(value)
    return array is not None and bool((array == neutral).all())


RULE = Rule(
    ops=("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", "Add", "AddV2"),
    apply=_apply,
    examples=(
        Example("y = tf.layers.batch_normalization(images)", "keras.layers.BatchNormalization()"),
        Example(
            "y = tf.layers.batch_normalization(rows, epsilon=0.01, scale=False)",
            "keras.layers.BatchNormalization(epsilon=0.01, scale=False)",
        ),
        Example(
            "y = tf.layers.batch_normalization(images, axis=1, fused=True)", "keras.layers.BatchNormalization(axis=1)"
        ),
    ),
)
