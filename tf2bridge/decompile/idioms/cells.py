"""Recurrent cells: what one step of a loop computes of an input and of states."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import Weight, scope_of, shortest
from tf2bridge.decompile.idioms.lstm_cells import further_lstm, sizes_of_lstm, weights_of_lstm
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.normalized_lstm import normalized_lstm
from tf2bridge.decompile.idioms.reset_after_gru import reset_after_gru
from tf2bridge.decompile.idioms.rule import Context, known_shape
from tf2bridge.decompile.ir import Value

_LINEAR = "(BiasAdd | Add)(MatMul(ConcatV2(x, h0, 1), kernel), bias)"
_LSTM_OUTPUT = "Mul(Tanh(c), Sigmoid(Split(1, gates)[3]))"
_LSTM_STATES = (
    "Add(Mul(c0, Sigmoid(Add(Split(1, gates)[2], forget))), new)",
    "Add(Mul(c0, Sigmoid(Split(1, gates)[2])), new)",
)
_LSTM_NEW = "Mul(Sigmoid(Split(1, gates)[0]), Tanh(Split(1, gates)[1]))"
_GRUS = (
    "Add(Mul(update, h0), Mul(Sub(1, update), new))",
    "Add(Mul(update, Sub(h0, new)), new)",
)
"""What a GRU gives: as its cell computes it, and as `tf.contrib.rnn.GRUBlockCell` does."""
_GRU_GATES = ("Split(1, Sigmoid(gates))[{}]", "Sigmoid(Split(1, gates)[{}])")
"""How a gate of a GRU is computed by its number, as releases after 0.12 and as it does."""
_CANDIDATE = "(BiasAdd | Add)(MatMul(ConcatV2(x, Mul(reset, h0), 1), kernel2), bias2)"
_GATES = {"LSTM": (4,), "GRU": (2, 1), "SimpleRNN": (1,)}
"""The class of a layer -> how many blocks of columns each matrix of its cell has."""
_ORDERS = {"LSTM": "blocks 0 2 1 3", "GRU": "blocks 1 0 2", "SimpleRNN": ""}
"""The class of a layer -> how the columns of gates are ordered."""
_OPTIONS: Mapping[str, tuple[tuple[str, Any], ...]] = {"LSTM": (), "GRU": (("reset_after", False),), "SimpleRNN": ()}
"""The class of a layer of Keras -> its arguments for cells of TensorFlow 1.x."""


@dataclass(frozen=True)
class Cell:
    """A cell.

    Attributes:
        kind: The class of the layer in `keras.layers`.
        layer: The class that is written: that one, or that of `emitted/recurrent.py`.
        options: Its arguments for this cell.
        x: What the cell takes.
        before: The states before the step, in the order of Keras.
        after: The states after it. The first one is what the cell gives.
        inputs: How many numbers `x` has for each row.
        units: How many numbers its result has.
        weights: The attribute of the layer -> what it holds.
        kernel: The value of the matrix of weights.
        scope: The name scope of the weights.
        made_with: How many units the layer is made with, if its result has other numbers.
    """

    kind: str
    layer: str
    options: tuple[tuple[str, Any], ...]
    x: Value
    before: tuple[Value, ...]
    after: tuple[Value, ...]
    inputs: int
    units: int
    weights: tuple[tuple[str, Weight], ...]
    kernel: Value
    scope: str
    made_with: int | None = None


def cell_of(result: Value, context: Context) -> Cell | None:
    """Returns the cell that a value is the result of, or None."""
    kinds = _lstm, _gru, _reset_after_gru, _simple, _further_lstm, _normalized_lstm
    return next((cell for kind in kinds if (cell := kind(result, context)) is not None), None)


def lstm_of(
    result: Value, parts: dict[str, Value], options: dict[str, Any], forget: float, context: Context
) -> Cell | None:
    """Returns the LSTM cell with these parts, if its weights are variables of sizes that fit.

    Args:
        result: The result of the cell.
        parts: The values `x`, `h0`, `c0`, `c`, `kernel` and `bias`; and `wi`, `wf`, `wo` with peepholes.
        options: The arguments of `recurrent.LSTM` for what Keras has none for.
        forget: What is added to the bias of the forget gate.
        context: The graph.
    """
    if not options:
        return _cell("LSTM", result, parts, context, forget)
    first = {"forget_bias": shortest(forget)} if forget != 1 else {}
    return _lstm_with(result, parts, {**first, **options}, context)


def _normalized_lstm(result: Value, context: Context) -> Cell | None:
    """Returns an LSTM cell with layer normalization, which Keras has none for."""
    known = normalized_lstm(result, context) if result.node.op == "Mul" else None
    if known is None:
        return None
    parts, options, (inputs, units), weights = known
    before, after = (parts["h0"], parts["c0"]), (result, parts["c"])
    scope, layer = scope_of(weights[0][1].variables[0]), "recurrent.LayerNormLSTM"
    return Cell("LSTM", layer, options, parts["x"], before, after, inputs, units, weights, parts["kernel"], scope)


def _further_lstm(result: Value, context: Context) -> Cell | None:
    """Returns an LSTM cell that Keras has none for: with peepholes, a projection, or clipping."""
    known = further_lstm(result)
    return _lstm_with(result, *known, context) if known else None


def _lstm_with(result: Value, parts: dict[str, Value], options: dict[str, Any], context: Context) -> Cell | None:
    sizes, weights = sizes_of_lstm(parts), weights_of_lstm(parts, context)
    if sizes is None or weights is None:
        return None
    inputs, units, results = sizes
    if "projection" in parts:
        options["projection"] = results
    before, after = (parts["h0"], parts["c0"]), (result, parts["c"])
    scope = scope_of(weights[0][1].variables[0])
    kernel, given, layer = parts["kernel"], tuple(options.items()), "recurrent.LSTM"
    return Cell("LSTM", layer, given, parts["x"], before, after, inputs, results, weights, kernel, scope, units)


def _lstm(result: Value, context: Context) -> Cell | None:
    names = match(result, _LSTM_OUTPUT)
    for pattern in _LSTM_STATES if names else ():
        parts = match(names["c"], pattern, names) if names else None
        parts = match(parts["new"], _LSTM_NEW, parts) if parts else None
        parts = _linear(parts["gates"], parts, _LINEAR) if parts else None
        forget = number(parts["forget"]) if parts and "forget" in parts else 0.0
        if parts and forget is not None:
            return _cell("LSTM", result, parts, context, float(np.float32(forget)))
    return None


def _gru(result: Value, context: Context) -> Cell | None:
    names = next((names for pattern in _GRUS if (names := match(result, pattern))), None)
    names = match(names["new"], "Tanh(candidate)", names) if names else None
    names = _linear(names["candidate"], names, _CANDIDATE) if names else None
    for pattern in _GRU_GATES if names else ():
        parts = match(names["update"], pattern.format(1), names) if names else None
        parts = match(parts["reset"], pattern.format(0), parts) if parts else None
        parts = _linear(parts["gates"], parts, _LINEAR) if parts else None
        if parts:
            return _cell("GRU", result, parts, context)
    return None


def _reset_after_gru(result: Value, context: Context) -> Cell | None:
    known = reset_after_gru(result, context) if result.node.op in ("Add", "AddV2") else None
    if known is None:
        return None
    parts, inputs, units, weights, scope = known
    before, kernel = (parts["h0"],), parts["gates"]
    return Cell("GRU", "keras.layers.GRU", (), parts["x"], before, (result,), inputs, units, weights, kernel, scope)


def _simple(result: Value, context: Context) -> Cell | None:
    names = _linear(result.node.inputs[0], {}, _LINEAR) if result.node.op == "Tanh" else None
    return _cell("SimpleRNN", result, names, context) if names else None


def _cell(kind: str, result: Value, parts: dict[str, Value], context: Context, forget: float = 0.0) -> Cell | None:
    """Returns the cell, if its weights are variables of sizes that fit.

    Args:
        kind: The class of the layer.
        result: The result of the cell.
        parts: The values of its parts.
        context: The graph.
        forget: What is added to the bias of the forget gate.
    """
    kernels, biases = ([parts[name] for name in (start, f"{start}2") if name in parts] for start in ("kernel", "bias"))
    sizes = _sizes(kernels, biases, _GATES[kind])
    variables = [[context.variable(value) for value in values] for values in (kernels, biases)]
    if sizes is None or None in variables[0] or None in variables[1]:
        return None
    inputs, units = sizes
    kernel, bias = (tuple(name for name in names if name) for names in variables)
    layer, options, weights = f"keras.layers.{kind}", _OPTIONS[kind], _in_parts(kind, kernel, bias, sizes, forget)
    if context.are_whole(*kernel, *bias):
        layer, weights = f"recurrent.{kind}", _whole(kernel, bias)
        options = (("forget_bias", shortest(forget)),) if kind == "LSTM" and forget != 1 else ()
    scopes = [scope_of(name) for name in kernel]
    is_lstm = kind == "LSTM"
    before = (parts["h0"], parts["c0"]) if is_lstm else (parts["h0"],)
    after = (result, parts["c"]) if is_lstm else (result,)
    scope = posixpath.commonpath(scopes)
    return Cell(kind, layer, options, parts["x"], before, after, inputs, units, weights, kernels[0], scope)


def _in_parts(
    kind: str, kernel: tuple[str, ...], bias: tuple[str, ...], sizes: tuple[int, int], forget: float
) -> tuple[tuple[str, Weight], ...]:
    """Returns what a layer of Keras holds: rows for inputs and rows for states, with the gates in its order."""
    inputs, units = sizes
    order = _ORDERS[kind]
    steps = f", {order}" if order else ""
    added = f", add 0 {literal(forget)} 0 0" if forget else ""
    return (
        ("cell.kernel", Weight(kernel, f"rows 0:{inputs}{steps}")),
        ("cell.recurrent_kernel", Weight(kernel, f"rows {inputs}:{inputs + units}{steps}")),
        ("cell.bias", Weight(bias, f"{order}{added}")),
    )


def _whole(kernel: Sequence[str], bias: Sequence[str]) -> tuple[tuple[str, Weight], ...]:
    """Returns what a layer of `emitted/recurrent.py` holds: the variables as they are."""
    names = ("",) if len(kernel) == 1 else ("gates_", "candidate_")
    parts = zip(names, kernel, bias, strict=True)
    return tuple(
        (f"cell.{name}{kind}", Weight((variable,)))
        for name, *variables in parts
        for kind, variable in zip(("kernel", "bias"), variables, strict=True)
    )


def _linear(value: Value, bound: dict[str, Value], pattern: str) -> dict[str, Value] | None:
    """Returns as `match` for a sum of a product and a bias, if the product takes its factors as they are.

    Args:
        value: The sum.
        bound: Names that stand for values already.
        pattern: The pattern.
    """
    names = match(value, pattern, bound)
    products = [given.node.attributes for given in value.node.inputs if given.node.op == "MatMul"]
    if names is None or any(product["transpose_a"] or product["transpose_b"] for product in products):
        return None
    return names


def _sizes(kernels: list[Value], biases: list[Value], gates: Sequence[int]) -> tuple[int, int] | None:
    """Returns how many inputs and how many units a cell has, or None if its weights do not fit.

    Args:
        kernels: The matrices of weights.
        biases: The bias of each.
        gates: How many blocks of columns each has.
    """
    shape, bias = known_shape(kernels[0]), known_shape(biases[0])
    if shape is None or bias is None or len(shape) != 2 or len(bias) != 1:
        return None
    units = bias[0] // gates[0]
    inputs = shape[0] - units
    for kernel, offset, count in zip(kernels, biases, gates, strict=True):
        if known_shape(kernel) != (inputs + units, count * units) or known_shape(offset) != (count * units,):
            return None
    return inputs, units
