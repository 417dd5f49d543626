"""`TimeFreqLSTMCell`: an LSTM over time that also runs along the frequencies of its input (Sainath and Li, 2016)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import Cell, clipped, input_size
from tf2bridge.contrib.rnn.core_rnn_cell import sharded

v1 = tf.compat.v1


def windows(inputs: Any, start: int, count: int, size: int, skip: int) -> list[Any]:
    """Returns `count` windows of `inputs`, [batch, width]: each [batch, size], `skip` columns after the one before."""
    return [v1.slice(inputs, [0, start + place * skip], [-1, size]) for place in range(count)]


class TimeFreqLSTMCell(Cell):
    """Inputs [batch, width], cut into windows of `feature_size`, each `frequency_skip` after the one before.

    Output [batch, windows * num_units]; state, memory and output of each window side by side.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int = 1,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer  # genuine TensorFlow takes it, and never uses it
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip
        self._state_size = 2 * num_units
        self._output_size = num_units

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        parts, units, dtype = self._windows(inputs), self._num_units, inputs.dtype
        shape = [parts[0].get_shape().as_list()[1] + 2 * units, 4 * units]
        weights = sharded("W", shape, dtype, self._num_unit_shards)
        bias = v1.get_variable("B", shape=[4 * units], initializer=v1.zeros_initializer(), dtype=dtype)
        names = ("W_F_diag", "W_I_diag", "W_O_diag") if self._use_peepholes else ()
        see = [v1.get_variable(name, shape=[units], dtype=dtype) for name in names]
        below = v1.zeros([inputs.shape.dims[0].value or inputs.get_shape()[0], units], dtype)
        for place, part in enumerate(parts):
            memory = v1.slice(state, [0, 2 * place * units], [-1, units])
            output = v1.slice(state, [0, (2 * place + 1) * units], [-1, units])
            product = v1.nn.bias_add(v1.matmul(v1.concat([part, output, below], 1), weights), bias)
            memory, below = self._step(product, memory, see)
            if place == 0:
                new_state, outputs = v1.concat([memory, below], 1), below
            else:
                new_state, outputs = v1.concat([new_state, memory, below], 1), v1.concat([outputs, below], 1)
        return outputs, new_state

    def _step(self, product: Any, memory: Any, see: list[Any]) -> tuple[Any, Any]:
        enter, new, forget, leave = v1.split(value=product, num_or_size_splits=4, axis=1)

        def gate(value: Any, place: int, seen: Any) -> Any:
            return v1.sigmoid(value + see[place] * seen if see else value)

        kept = gate(forget + self._forget_bias, 0, memory) * memory
        memory = clipped(kept + gate(enter, 1, memory) * v1.tanh(new), self._cell_clip)
        return memory, gate(leave, 2, memory) * v1.tanh(memory)

    def _windows(self, inputs: Any) -> list[Any]:
        size: Any = self._feature_size
        count = int((input_size(inputs) - size) / self._frequency_skip) + 1
        return windows(inputs, 0, count, size, self._frequency_skip)
