"""`GLSTMCell`: an LSTM in groups that do not see one another (Kuchaiev and Ginsburg, 2017)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.contrib.rnn.cell import Cell, LSTMStateTuple, batch_size
from tf2bridge.contrib.rnn.core_rnn_cell import Linear

v1 = tf.compat.v1


class GLSTMCell(Cell):
    """Inputs [batch, size], output [batch, num_proj or num_units], state (memory, output).

    Up to 1.6 all groups share one kernel, whose input size is the output size.

    Raises:
        ValueError: the number of units, of the projection or of the inputs is not a multiple of `number_of_groups`, or
            the size of the inputs is unknown.
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        num_proj: int | None = None,
        number_of_groups: int = 1,
        forget_bias: float = 1.0,
        activation: Any = v1.tanh,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        for name, size in (("num_units", num_units), ("num_proj", num_proj or 0)):
            if size % number_of_groups != 0:
                raise ValueError(f"{name} ({size}) must be divisible by number_of_groups ({number_of_groups})")
        self._num_units = num_units
        self._initializer = initializer
        self._num_proj = num_proj
        self._number_of_groups = number_of_groups
        self._forget_bias = forget_bias
        self._activation = activation
        self._output_size = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, self._output_size)
        self._one_map = before(1, 7)
        self._maps: tuple[Linear, ...] = ()
        self._projection: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state
        groups = self._number_of_groups
        batch = batch_size(inputs)
        size = tf.compat.dimension_value(inputs.shape[1])
        if size is None:
            raise ValueError("input size must be statically known: the last dimension of the inputs")
        if size % groups != 0:
            raise ValueError(f"input size ({size}) must be divisible by number_of_groups ({groups})")
        with v1.variable_scope(v1.get_variable_scope(), initializer=self._initializer):
            share = self._output_size // groups
            widths = [(inputs, share if self._one_map else size // groups), (output, share)]
            parts = [self._group(place, widths, batch) for place in range(groups)]
            names = ("bias_i", "bias_j", "bias_f", "bias_o")
            biases = [self._bias(name, inputs.dtype) for name in names]
            gates = [
                v1.nn.bias_add(v1.concat(list(part), axis=1), bias)
                for part, bias in zip(zip(*parts, strict=True), biases, strict=True)
            ]
        enter, new, forget, leave = gates
        memory = v1.sigmoid(forget + self._forget_bias) * memory + v1.sigmoid(enter) * v1.tanh(new)
        output = self._projected(v1.sigmoid(leave) * self._activation(memory))
        return output, LSTMStateTuple(memory, output)

    def _group(self, place: int, widths: list[tuple[Any, int]], batch: Any) -> list[Any]:
        """Returns the four gates of one group, each [batch, num_units / groups]."""
        name = f"GLSTM_group{place}_input_generation"
        with v1.variable_scope(f"group{place}"):
            slices = [v1.slice(packed, [0, place * width], [batch, width], name=name) for packed, width in widths]
            both = v1.concat(slices, axis=1)
            if not self._maps or (place == len(self._maps) and not self._one_map):
                units = self._num_units // self._number_of_groups
                self._maps = (*self._maps, Linear(both, 4 * units, False))
            gates: list[Any] = v1.split(self._maps[0 if self._one_map else place](both), 4, 1)
            return gates

    def _bias(self, name: str, dtype: Any) -> Any:
        start = v1.constant_initializer(0.0, dtype=dtype)
        return v1.get_variable(name=name, shape=[self._num_units], dtype=dtype, initializer=start)

    def _projected(self, output: Any) -> Any:
        if self._num_proj is None:
            return output
        with v1.variable_scope("projection"):
            if self._projection is None:
                self._projection = Linear(output, self._num_proj, False)
            return self._projection(output)
