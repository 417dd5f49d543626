"""LSTM cells with peepholes, a projection of their result, or clipping, as `tf.nn.rnn_cell.LSTMCell` builds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf2bridge.decompile.idioms.layer import Weight, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, known_shape
from tf2bridge.decompile.ir import Value

Parts = dict[str, Value]
Options = dict[str, Any]
PEEPHOLES = {"wi": "input_peephole", "wf": "forget_peephole", "wo": "output_peephole"}
_LINEAR = "(BiasAdd | Add)(MatMul(ConcatV2(x, h0, 1), kernel), bias)"
_OUTPUTS = (
    "Mul(Tanh(c), Sigmoid(Add(Split(1, gates)[3], Mul(wo, c))))",
    "Mul(Tanh(c), Sigmoid(Split(1, gates)[3]))",
)
_STATE = "Add(Mul(c0, Sigmoid(keep)), Mul(Sigmoid(add), Tanh(Split(1, gates)[1])))"
_KEEPS = (
    ("Add(Add(Split(1, gates)[2], forget), Mul(wf, c0))", "Add(Split(1, gates)[0], Mul(wi, c0))"),
    ("Add(Split(1, gates)[2], forget)", "Split(1, gates)[0]"),
    ("Add(Split(1, gates)[2], Mul(wf, c0))", "Add(Split(1, gates)[0], Mul(wi, c0))"),
    ("Split(1, gates)[2]", "Split(1, gates)[0]"),
)
"""What the gates for the old and the new state take: with and without peepholes, and a bias."""


def further_lstm(result: Value) -> tuple[Parts, Options] | None:
    """Returns the parts of a cell, and the arguments of its layer; None if it is no such cell.

    Parts are values: `x`, `h0`, `c0`, `c`, `kernel`, `bias`; and `projection`, `wi`, `wf`, `wo` if the cell has them.
    """
    options: Options = {}
    inner = _unclipped(result, "projection_clip", options)
    projected = match(inner, "MatMul(inner, projection)")
    if projected is not None and (inner.node.attributes["transpose_a"] or inner.node.attributes["transpose_b"]):
        return None
    if projected is None and options:
        return None
    names = {"projection": projected["projection"]} if projected else {}
    for pattern in _OUTPUTS:
        parts = match(projected["inner"] if projected else result, pattern, names)
        if parts is not None:
            return _with_state(parts, options)
    return None


def _with_state(parts: Parts, options: Options) -> tuple[Parts, Options] | None:
    state = _unclipped(parts["c"], "cell_clip", options)
    for bound in _matches_of_state(state, parts):
        gates = bound["gates"]
        linear = match(gates, _LINEAR, bound)
        product = next((value.node for value in gates.node.inputs if value.node.op == "MatMul"), None)
        if linear is None or product is None or product.attributes["transpose_a"] or product.attributes["transpose_b"]:
            continue
        forget = number(bound["forget"]) if "forget" in bound else 0.0
        peepholes = [name for name in PEEPHOLES if name in linear]
        is_further = options or peepholes or "projection" in linear
        if forget is None or not is_further or len(peepholes) not in (0, len(PEEPHOLES)):
            return None
        forget = shortest(float(np.float32(forget)))
        first = {"forget_bias": forget} if forget != 1 else {}
        return linear, {**first, **({"peepholes": True} if peepholes else {}), **options}
    return None


def _matches_of_state(state: Value, parts: Parts) -> list[Parts]:
    bound = match(state, _STATE, parts)
    if bound is None:
        return []
    matches = []
    for keep, add in _KEEPS:
        names = match(bound["keep"], keep, bound)
        names = match(names["add"], add, names) if names else None
        if names is not None:
            matches.append(names)
    return matches


def _unclipped(value: Value, name: str, options: Options) -> Value:
    """Returns what is clipped to a range around 0, and adds the limit to `options`; the value itself if it is not."""
    names = match(value, "Maximum(Minimum(x, high), low)") or match(value, "ClipByValue(x, low, high)")
    low, high = (number(names["low"]), number(names["high"])) if names else (None, None)
    if names is None or low is None or high is None or low != -high:
        return value
    options[name] = shortest(high)
    return names["x"]


def sizes_of_lstm(parts: Parts) -> tuple[int, int, int] | None:
    """Returns how many inputs, units and results a cell has, or None if its weights do not fit."""
    kernel, bias = known_shape(parts["kernel"]), known_shape(parts["bias"])
    if kernel is None or bias is None or len(kernel) != 2 or len(bias) != 1 or bias[0] % 4 or kernel[1] != bias[0]:
        return None
    units = results = bias[0] // 4
    if "projection" in parts:
        shape = known_shape(parts["projection"])
        if shape is None or len(shape) != 2 or shape[0] != units:
            return None
        results = shape[1]
    if any(known_shape(parts[name]) != (units,) for name in PEEPHOLES if name in parts):
        return None
    return (kernel[0] - results, units, results) if kernel[0] > results else None


def weights_of_lstm(parts: Parts, context: Context) -> tuple[tuple[str, Weight], ...] | None:
    """Returns the attribute of the layer -> the variable that it holds; None if a weight is no variable."""
    roles = {"kernel": "kernel", "bias": "bias", "projection": "projection", **PEEPHOLES}
    named = {attribute: context.variable(parts[role]) for role, attribute in roles.items() if role in parts}
    if None in named.values() or len(set(named.values())) != len(named):
        return None
    return tuple((f"cell.{attribute}", Weight((name,))) for attribute, name in named.items() if name is not None)
