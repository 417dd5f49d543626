"""`PhasedLSTMCell`: an LSTM whose units open at their own rhythm (Neil et al., 2016)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import Cell, LSTMStateTuple
from tf2bridge.contrib.rnn.core_rnn_cell import Linear

v1 = tf.compat.v1


class PhasedLSTMCell(Cell):
    """Inputs (time [batch, 1], features [batch, size]); output [batch, num_units]; state (memory, output).

    The periods begin between `period_init_min` and `period_init_max`, evenly on a logarithmic scale; a unit is open
    for `ratio_on` of its period, and leaks by `leak` otherwise.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        leak: float = 0.001,
        ratio_on: float = 0.1,
        trainable_ratio_on: bool = True,
        period_init_min: float = 1.0,
        period_init_max: float = 1000.0,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse, autocast=False)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._leak = leak
        self._ratio_on = ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._period_init = (period_init_min, period_init_max)
        self._state_size = LSTMStateTuple(num_units, num_units)
        self._output_size = num_units
        self._mask: Linear | None = None
        self._new: Linear | None = None
        self._leave: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        before, output_before = state
        time, features = inputs
        both, units = [features, output_before], self._num_units
        seen = [*both, before] if self._use_peepholes else both
        with v1.variable_scope("mask_gates"):
            self._mask = self._mask or Linear(seen, 2 * units, True)
            gates = v1.sigmoid(self._mask(seen))
            enter, forget = v1.split(axis=1, num_or_size_splits=2, value=gates)
        with v1.variable_scope("new_input"):
            self._new = self._new or Linear(both, units, True)
            new = v1.tanh(self._new(both))
        memory = before * forget + enter * new
        seen = [*both, memory] if self._use_peepholes else both
        with v1.variable_scope("output_gate"):
            self._leave = self._leave or Linear(seen, units, True)
            leave = v1.sigmoid(self._leave(seen))
        output = v1.tanh(memory) * leave
        opened = self._openness(time)
        memory = opened * memory + (1 - opened) * before
        output = opened * output + (1 - opened) * output_before
        return output, LSTMStateTuple(memory, output)

    def _openness(self, time: Any) -> Any:
        """Returns the openness of each unit, [batch, num_units]: it rises, falls, and leaks until the period ends."""
        shape = [self._num_units]
        period = v1.get_variable("period", shape, initializer=_on_log_scale(*self._period_init))
        start = v1.random_uniform_initializer(0.0, period.initial_value)
        phase = v1.get_variable("phase", shape, initializer=start)
        start = v1.constant_initializer(self._ratio_on)
        ratio_on = v1.get_variable("ratio_on", shape, initializer=start, trainable=self._trainable_ratio_on)
        cycle = _cycle(time, phase, period)
        rising = 2 * cycle / ratio_on
        falling = 2 - rising
        closed = self._leak * cycle
        opened = v1.where(cycle < ratio_on, falling, closed)
        return v1.where(cycle < 0.5 * ratio_on, rising, opened)


def _cycle(time: Any, phase: Any, period: Any) -> Any:
    """Returns the position of each unit in its period, from 0 to 1. The gradient is that of `time - phase`."""
    phase, period = v1.cast(phase, dtype=time.dtype), v1.cast(period, dtype=time.dtype)
    shifted = time - phase
    within = v1.stop_gradient(v1.mod(shifted, period) - shifted) + shifted
    return v1.cast(within / period, dtype=tf.float32)


def _on_log_scale(low: float, high: float) -> Any:
    def initializer(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> Any:
        del partition_info
        return v1.exp(v1.random_uniform(shape, v1.log(low), v1.log(high), dtype))

    return initializer
