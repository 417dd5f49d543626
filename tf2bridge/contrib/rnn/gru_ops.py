"""GRU cells that are one operation a step."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.contrib.rnn.cell import InputSpec, LayerCell, known_size
from tf2bridge.contrib.rnn.kernels import register

v1 = tf.compat.v1


class GRUBlockCell(LayerCell):
    """`nn.rnn_cell.GRUCell` in one operation; variables w_ru, b_ru, w_c, b_c. Output and state [batch, num_units].

    `cell_size` is the old name of `num_units`; raises ValueError unless just one of them is given. Up to 1.4 the scope
    of the variables was "GRUBlockCell".
    """

    _names = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(
        self,
        num_units: int | None = None,
        cell_size: int | None = None,
        reuse: bool | None = None,
        name: str = "gru_cell",
    ) -> None:
        named = type(self).__name__ if name == "gru_cell" and before(1, 5) else name
        super().__init__(_reuse=reuse, name=named)
        register()
        if (cell_size is None) == (num_units is None):
            raise ValueError(f"Exactly one of num_units or cell_size must be provided to {type(self).__name__}.")
        self._cell_size: Any = cell_size if num_units is None else num_units
        self._state_size = self._output_size = self._cell_size
        self.input_spec = InputSpec(ndim=2)

    def build(self, input_shape: Any) -> None:
        units = self._cell_size
        rows = known_size(input_shape) + units
        gates, gate_bias, candidate, candidate_bias = self._names
        self._kernels = (
            self.add_weight(gates, [rows, units * 2]),
            # A bias of 1 begins without resetting and without updating.
            self.add_weight(gate_bias, [units * 2], initializer=v1.constant_initializer(1.0)),
            self.add_weight(candidate, [rows, units]),
            self.add_weight(candidate_bias, [units], initializer=v1.constant_initializer(0.0)),
        )
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> tuple[Any, Any]:
        size = h_prev.get_shape().with_rank(2)[1]
        if size != self._cell_size:
            raise ValueError(f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {size}")
        w_ru, b_ru, w_c, b_c = self._kernels
        result = tf.raw_ops.GRUBlockCell(x=inputs, h_prev=h_prev, w_ru=w_ru, w_c=w_c, b_ru=b_ru, b_c=b_c)
        return result.h, result.h


class GRUBlockCellV2(GRUBlockCell):
    """`GRUBlockCell` with the variables of `nn.rnn_cell.GRUCell`."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
