"""The cells that compute what cuDNN computes, and hold what its checkpoints hold."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.behaviour.installed import core_cells
from tf2bridge.contrib.rnn.cell import Sized, known_size
from tf2bridge.contrib.rnn.lstm_ops import LSTMBlockCell

v1 = tf.compat.v1
_GRUCell: Any = core_cells().GRUCell


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """`contrib.rnn.LSTMBlockCell` without a forget bias, in the scope of cuDNN's checkpoints; its own up to 1.5."""

    def __init__(self, num_units: int, reuse: bool | None = None) -> None:
        name = "lstm_cell" if before(1, 6) else "cudnn_compatible_lstm_cell"
        super().__init__(num_units, forget_bias=0, reuse=reuse, name=name)


class CudnnCompatibleGRUCell(Sized, _GRUCell):  # type: ignore[misc]  # tf_keras is untyped
    """The GRU of cuDNN: the reset gate acts on the projected state plus its bias. Output and state [batch, units]."""

    def __init__(self, num_units: int, reuse: bool | None = None, kernel_initializer: Any = None) -> None:
        super().__init__(num_units, activation=None, reuse=reuse, kernel_initializer=kernel_initializer)
        self._state_size = self._output_size = num_units

    def build(self, inputs_shape: Any) -> None:
        size, units = known_size(inputs_shape), self._num_units
        ones = v1.constant_initializer(1.0, dtype=self.dtype)
        self._gates = self._map("gates", size + units, 2 * units, ones)
        shapes = {"input": size, "hidden": units}
        kernels = {name: self._kernel(f"candidate/{name}_projection", rows, units) for name, rows in shapes.items()}
        zeros = v1.zeros_initializer(dtype=self.dtype)
        biases = {name: self._bias(f"candidate/{name}_projection", units, zeros) for name in shapes}
        self._candidate = {name: (kernels[name], biases[name]) for name in shapes}
        self.built = True

    def _map(self, name: str, rows: int, columns: int, start: Any) -> tuple[Any, Any]:
        return self._kernel(name, rows, columns), self._bias(name, columns, start)

    def _kernel(self, name: str, rows: int, columns: int) -> Any:
        return self.add_weight(f"{name}/kernel", shape=[rows, columns], initializer=self._kernel_initializer)

    def _bias(self, name: str, columns: int, start: Any) -> Any:
        return self.add_weight(f"{name}/bias", shape=[columns], initializer=self._bias_initializer or start)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        gates = v1.sigmoid(_mapped(v1.concat([inputs, state], 1), self._gates))
        reset, update = v1.split(value=gates, num_or_size_splits=2, axis=1)
        candidate = _mapped(inputs, self._candidate["input"])
        candidate += reset * _mapped(state, self._candidate["hidden"])
        candidate = self._activation(candidate)
        output = (1 - update) * candidate + update * state
        return output, output


def _mapped(inputs: Any, weights: tuple[Any, Any]) -> Any:
    kernel, bias = weights
    return v1.nn.bias_add(v1.matmul(inputs, kernel), bias)
