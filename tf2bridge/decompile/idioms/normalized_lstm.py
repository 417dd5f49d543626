"""LSTM cells that normalize their gates and state, as `tf.contrib.rnn.LayerNormBasicLSTMCell` builds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf2bridge.decompile.idioms.layer import Weight, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.normalized import Normalized, normalized
from tf2bridge.decompile.idioms.rule import Context, known_shape
from tf2bridge.decompile.ir import Value

Parts = dict[str, Value]
_OUTPUT = "Mul(Tanh(c), Sigmoid(output))"
_STATE = "Add(Mul(c0, Sigmoid(kept)), Mul(Sigmoid(input), Tanh(transform)))"
_LINEAR = "MatMul(ConcatV2(x, h0, 1), kernel)"
_GATES = ("input", "transform", "forget", "output")
"""The blocks of columns, in order."""
_EPSILON = 1e-12
"""What `tf.contrib.layers.layer_norm` adds to a variance."""


def normalized_lstm(
    result: Value, context: Context
) -> tuple[Parts, tuple[tuple[str, Any], ...], tuple[int, int], tuple[tuple[str, Weight], ...]] | None:
    """Returns the parts of a cell, the options of its layer, its inputs and units, and its weights; or None.

    Parts are the values `x`, `h0`, `c0`, `c` and `kernel`.
    """
    names = match(result, _OUTPUT)
    state = normalized(names["c"].node, context, rank=2) if names else None
    names = match(state.x, _STATE, names) if state else None
    with_bias = match(names["kept"], "Add(forget, bias)", names) if names else None
    if state is None or with_bias is None:
        return None
    for names in (with_bias, {**with_bias, "forget": with_bias["bias"], "bias": with_bias["forget"]}):
        bias = number(names["bias"])
        gates = {gate: normalized(names[gate].node, context) for gate in _GATES}
        parts = _linear(gates, names)
        norms = [*gates.values(), state]
        sizes = _sizes(parts["kernel"], norms) if parts else None
        if bias is None or parts is None or sizes is None:
            continue
        kernel = context.variable(parts["kernel"])
        weights = [("cell.kernel", Weight((kernel,)))] if kernel else []
        for name, norm in zip((*_GATES, "state"), norms, strict=True):
            held = norm.weights if norm else {}
            weights += [(f"cell.{name}_norm.{role}", Weight((held[role],))) for role in ("gamma", "beta")]
        if kernel is None or len({weight.variables for _, weight in weights}) < len(weights):
            continue
        forget = shortest(float(np.float32(bias)))
        options = {"forget_bias": (forget, 1.0), "epsilon": (state.epsilon, _EPSILON)}
        given = tuple((name, value) for name, (value, usual) in options.items() if value != usual)
        return parts, given, sizes, tuple(weights)
    return None


def _linear(gates: dict[str, Normalized | None], names: Parts) -> Parts | None:
    """Returns the parts with what the gates are parts of, if each one is its block of columns."""
    for place, norm in enumerate(gates.values()):
        with_gate = match(norm.x, f"Split(1, gates)[{place}]", names) if norm else None
        if with_gate is None or len(with_gate["gates"].node.inputs) < 2:
            return None
        names = with_gate
    parts = match(names["gates"], _LINEAR, names)
    product = names["gates"].node.attributes
    return parts if parts and not (product["transpose_a"] or product["transpose_b"]) else None


def _sizes(kernel: Value, norms: list[Normalized | None]) -> tuple[int, int] | None:
    """Returns how many inputs and units a cell has, or None if its weights do not fit."""
    shape = known_shape(kernel)
    if shape is None or len(shape) != 2 or shape[1] % 4:
        return None
    units = shape[1] // 4
    for norm in norms:
        is_whole = norm is not None and norm.parameters == (units,) and norm.axes == [1] and len(norm.weights) == 2
        if norm is None or not is_whole or norms[-1] is None or norm.epsilon != norms[-1].epsilon:
            return None
    return (shape[0] - units, units) if shape[0] > units else None
