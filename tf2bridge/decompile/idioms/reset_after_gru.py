"""The GRU of cuDNN, `tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell`: it resets the state after the product with weights.

It is `keras.layers.GRU` with its default `reset_after=True`: there are two biases for the candidate.
"""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from tf2bridge.decompile.idioms.layer import Weight, scope_of
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, known_shape
from tf2bridge.decompile.ir import Value

_RESULT = "Add(Mul(Sub(1, update), Tanh(candidate)), Mul(update, h0))"
_CANDIDATE = (
    "Add((BiasAdd | Add)(MatMul(x, inner), inner_bias), Mul(reset, (BiasAdd | Add)(MatMul(h0, hidden), hidden_bias)))"
)
_GATES = "(BiasAdd | Add)(MatMul(ConcatV2(x, h0, 1), gates), bias)"
_KERNELS, _BIASES = ("gates", "inner", "hidden"), ("bias", "inner_bias", "hidden_bias")


class ResetAfterGru(NamedTuple):
    """The parts of such a cell: its values, its sizes, its weights, and the name scope of these."""

    parts: dict[str, Value]
    inputs: int
    units: int
    weights: tuple[tuple[str, Weight], ...]
    scope: str


def reset_after_gru(result: Value, context: Context) -> ResetAfterGru | None:
    """Returns the parts of the cell that a value is the result of, or None.

    A cell whose weights train or are read stays as it is: the layer has them in parts.
    """
    names = match(result, _RESULT)
    names = match(names["candidate"], _CANDIDATE, names) if names else None
    names = match(names["update"], "Split(1, Sigmoid(sums))[1]", names) if names else None
    names = match(names["reset"], "Split(1, Sigmoid(sums))[0]", names) if names else None
    parts = match(names["sums"], _GATES, names) if names else None
    if parts is None or any(part.node.attributes.get("transpose_a") for part in parts.values()):
        return None
    variables = {name: context.variable(parts[name]) for name in (*_KERNELS, *_BIASES)}
    kernel, bias = (tuple(variables[name] or "" for name in names) for names in (_KERNELS, _BIASES))
    shape, known = known_shape(parts["gates"]), all((*kernel, *bias))
    if shape is None or not known or context.are_whole(*kernel, *bias):
        return None
    units = shape[1] // 2
    inputs = shape[0] - units
    if not _fit(parts, inputs, units):
        return None
    weights = (
        ("cell.kernel", Weight(kernel[:2], f"parts 0:{inputs} 0:{inputs}, blocks 1 0 2")),
        ("cell.recurrent_kernel", Weight((kernel[0], kernel[2]), f"parts {inputs}:{shape[0]} 0:{units}, blocks 1 0 2")),
        (
            "cell.bias",
            Weight((*bias[:2], bias[0], bias[2]), f"blocks 1 0 2 4 3 5, only 1 1 1 0 0 1, shape 2 {3 * units}"),
        ),
    )
    return ResetAfterGru(parts, inputs, units, weights, posixpath.commonpath([scope_of(name) for name in kernel]))


def _fit(parts: dict[str, Value], inputs: int, units: int) -> bool:
    """Returns True if the weights have the sizes of a cell."""
    shapes = {
        "gates": (inputs + units, 2 * units),
        "inner": (inputs, units),
        "hidden": (units, units),
        "bias": (2 * units,),
        "inner_bias": (units,),
        "hidden_bias": (units,),
    }
    return units > 0 < inputs and all(known_shape(parts[name]) == shape for name, shape in shapes.items())
