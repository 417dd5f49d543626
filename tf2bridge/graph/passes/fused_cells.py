"""Computes fused recurrent cells with operations that have gradients.

TensorFlow 2.21 runs the fused cells, but lost their gradients, which were in contrib (rnn/python/ops). The formulas are
those of core/kernels/rnn/lstm_ops.h and gru_ops.h.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.graph.passes.expansions import Expansion


def lstm_cell(
    attributes: Mapping[str, Any],
    x: tf.Tensor,
    cell: tf.Tensor,
    output: tf.Tensor,
    w: tf.Tensor,
    w_i: tf.Tensor,
    w_f: tf.Tensor,
    w_o: tf.Tensor,
    b: tf.Tensor,
) -> tuple[tf.Tensor, ...]:
    """Computes `LSTMBlockCell` for x [batch, inputs], cell and output [batch, units], w [inputs + units, 4 * units].

    The order of gates in w is i, candidate, f, o. Returns i, cell, f, o, candidate, tanh of the cell, output, each
    [batch, units].
    """
    peephole = attributes["use_peephole"]
    gates = tf.matmul(tf.concat([x, output], 1), w) + b
    i, candidate, f, o = tf.split(gates, 4, axis=1)
    f += attributes["forget_bias"]
    i = tf.sigmoid(i + cell * w_i if peephole else i)
    f = tf.sigmoid(f + cell * w_f if peephole else f)
    candidate = tf.tanh(candidate)
    cell = _clipped(candidate * i + cell * f, attributes["cell_clip"])
    o = tf.sigmoid(o + cell * w_o if peephole else o)
    squashed = tf.tanh(cell)
    return i, cell, f, o, candidate, squashed, squashed * o


def gru_cell(
    attributes: Mapping[str, Any],  # noqa: ARG001  # its only attribute is a type
    x: tf.Tensor,
    output: tf.Tensor,
    w_gates: tf.Tensor,
    w_candidate: tf.Tensor,
    b_gates: tf.Tensor,
    b_candidate: tf.Tensor,
) -> tuple[tf.Tensor, ...]:
    """Computes `GRUBlockCell` for x [batch, inputs], output [batch, units]; returns r, u, candidate, output."""
    gates = tf.matmul(tf.concat([x, output], 1), w_gates) + b_gates
    r, u = (tf.sigmoid(gate) for gate in tf.split(gates, 2, axis=1))
    candidate = tf.tanh(tf.matmul(tf.concat([x, output * r], 1), w_candidate) + b_candidate)
    return r, u, candidate, u * (output - candidate) + candidate  # this order of terms gives the kernel's last bit


def _clipped(value: tf.Tensor, limit: float) -> tf.Tensor:
    """Clips the value to [-limit, limit] if the limit is positive. Its gradient is not clipped, as in TF 1.x."""
    if limit <= 0:
        return value
    return value - tf.stop_gradient(value - tf.clip_by_value(value, -limit, limit))


CELLS: dict[str, Expansion] = {"LSTMBlockCell": lstm_cell, "GRUBlockCell": gru_cell}
"""Type of an operation -> the function that computes it."""
