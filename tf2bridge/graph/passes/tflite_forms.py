"""Computes operations that TFLite's converter does not know with operations that it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.graph.passes.expansions import Expansion
from tf2bridge.graph.passes.fused_cells import lstm_cell


def truncated_modulo(_attributes: Mapping[str, Any], x: tf.Tensor, y: tf.Tensor) -> list[tf.Tensor]:
    """Computes `Mod` of integers or floats as in C: the result has the sign of x (core/kernels/cwise_op_mod.cc)."""
    remainder = tf.math.floormod(tf.where(x < 0, -x, x), tf.where(y < 0, -y, y))
    return [tf.where(x < 0, -remainder, remainder)]


def block_lstm(
    attributes: Mapping[str, Any],
    length: tf.Tensor,
    x: tf.Tensor,
    cell: tf.Tensor,
    output: tf.Tensor,
    *weights: tf.Tensor,
) -> list[tf.Tensor]:
    """Computes `BlockLSTM`: `LSTMBlockCell` for each step of x [time, batch, inputs], and zeros from step `length` on.

    Returns the results of the cell, each [time, batch, units]; see core/kernels/rnn/lstm_ops.cc. A known number of
    steps is unrolled, which needs no lists.
    """
    steps = tf.shape(x)[0] if x.shape.rank is None or x.shape[0] is None else x.shape[0]
    known = {"use_peephole": False, "forget_bias": 1.0, "cell_clip": 3.0} | dict(attributes)

    def step(at: Any, cell: tf.Tensor, output: tf.Tensor) -> list[tf.Tensor]:
        alive = tf.cast(at, tf.int64) < length
        values = lstm_cell(known, x[at], cell, output, *weights)
        return [tf.where(alive, value, tf.zeros_like(value)) for value in values]

    if isinstance(steps, int):
        rows = []
        for at in range(steps):
            rows.append(step(at, cell, output))
            cell, output = rows[-1][1], rows[-1][-1]
        return [tf.stack(column) for column in zip(*rows, strict=True)]
    return _looped(step, steps, cell, output)


def _looped(step: Any, steps: tf.Tensor, cell: tf.Tensor, output: tf.Tensor) -> list[tf.Tensor]:
    arrays = [tf.TensorArray(output.dtype, steps, element_shape=output.shape) for _ in range(7)]

    def turn(at: tf.Tensor, cell: tf.Tensor, output: tf.Tensor, *arrays: Any) -> tuple[Any, ...]:
        values = step(at, cell, output)
        written = [array.write(at, value) for array, value in zip(arrays, values, strict=True)]
        return at + 1, tf.ensure_shape(values[1], cell.shape), tf.ensure_shape(values[-1], output.shape), *written

    state = (tf.constant(0), cell, output, *arrays)
    results = tf.while_loop(lambda at, *_: at < steps, turn, state, maximum_iterations=steps)
    return [array.stack() for array in results[3:]]


TFLITE_FORMS: dict[str, Expansion] = {"Mod": truncated_modulo, "TruncateMod": truncated_modulo, "BlockLSTM": block_lstm}
"""Type of an operation -> the function that computes it."""
