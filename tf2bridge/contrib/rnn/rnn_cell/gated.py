"""Cells with one or two update gates: `UGRNNCell` and `IntersectionRNNCell` (Collins et al., 2016)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import Cell, input_size
from tf2bridge.contrib.rnn.core_rnn_cell import Linear

v1 = tf.compat.v1


class UGRNNCell(Cell):
    """One gate tells how much of the state [batch, num_units] is kept; the output is the new state."""

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        forget_bias: float = 1.0,
        activation: Any = v1.tanh,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = self._state_size = self._output_size = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        input_size(inputs)
        with v1.variable_scope(v1.get_variable_scope(), initializer=self._initializer):
            both = v1.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 2 * self._num_units, True)
            keep, new = v1.split(axis=1, num_or_size_splits=2, value=self._linear(both))
            new = self._activation(new)
            keep = v1.sigmoid(keep + self._forget_bias)
            state = keep * state + (1.0 - keep) * new
        return state, state


class IntersectionRNNCell(Cell):
    """One gate for the state and one for the output, both [batch, num_units]; the input is carried into the output.

    An input of another size needs `num_in_proj=num_units`, else the call raises ValueError.
    """

    def __init__(
        self,
        num_units: int,
        num_in_proj: int | None = None,
        initializer: Any = None,
        forget_bias: float = 1.0,
        y_activation: Any = v1.nn.relu,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = self._state_size = self._output_size = num_units
        self._num_input_proj = num_in_proj
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._y_activation = y_activation
        self._entry: Linear | None = None
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        size, units = input_size(inputs), self._num_units
        with v1.variable_scope(v1.get_variable_scope(), initializer=self._initializer):
            if size != units:
                inputs = self._projected(inputs, size)
            both = v1.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 4 * units, True)
            product = self._linear(both)
            keep, new, carry, out = (product[:, place * units : (place + 1) * units] for place in range(4))
            new, out = v1.tanh(new), self._y_activation(out)
            keep, carry = v1.sigmoid(keep + self._forget_bias), v1.sigmoid(carry + self._forget_bias)
            state = keep * state + (1.0 - keep) * new
            output = carry * inputs + (1.0 - carry) * out
        return output, state

    def _projected(self, inputs: Any, size: int) -> Any:
        if not self._num_input_proj:
            raise ValueError(
                "Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set to "
                f"num_units at cell init. The sizes are {size} and {self._num_units}."
            )
        with v1.variable_scope("in_projection"):
            if self._entry is None:
                self._entry = Linear(inputs, self._num_units, True)
            return self._entry(inputs)
