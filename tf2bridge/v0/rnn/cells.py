"""Recurrent cells of 0.12.1: their equations are those of 1.x, their variables have the names 0.12 gave them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_cells
from tf2bridge.v0.rnn.linear import linear

v1 = tf.compat.v1

LSTMStateTuple = core_cells().LSTMStateTuple
sigmoid, tanh = v1.sigmoid, v1.tanh


class RNNCell:
    """A cell: `__call__(inputs [batch, size], state, scope=None)` returns (output, new state)."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        """Runs one step; a cell of the program defines it."""
        raise NotImplementedError(f"{type(self).__name__} has to define __call__(inputs, state, scope)")

    @property
    def state_size(self) -> Any:
        """The size of the state, or a tuple of sizes."""
        raise NotImplementedError(f"{type(self).__name__} has to define state_size")

    @property
    def output_size(self) -> Any:
        """The size of the output."""
        raise NotImplementedError(f"{type(self).__name__} has to define output_size")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns zeros for a whole batch: [batch, size] for each size of the state."""
        return tf.nest.map_structure(lambda size: _zeros(batch_size, size, dtype), self.state_size)


def _zeros(batch_size: Any, size: Any, dtype: Any) -> Any:
    shape = tf.TensorShape(size).as_list() if not isinstance(size, int) else [size]
    zeros = v1.zeros(v1.stack([batch_size, *shape]), dtype)
    zeros.set_shape([None, *shape])
    return zeros


class _Sized(RNNCell):
    """A cell whose state and output are `num_units` wide. `input_size` was without effect in 0.12 already."""

    def __init__(self, num_units: int, input_size: Any = None, activation: Any = tanh) -> None:
        del input_size
        self._num_units = num_units
        self._activation = activation

    @property
    def state_size(self) -> Any:
        return self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units


class BasicRNNCell(_Sized):
    """output = new state = activation(W [input, state] + B)."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with v1.variable_scope(scope or type(self).__name__):
            output = self._activation(linear([inputs, state], self._num_units))
        return output, output


class GRUCell(_Sized):
    """The gated recurrent unit (Cho et al., 2014)."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with v1.variable_scope(scope or type(self).__name__):
            with v1.variable_scope("Gates"):
                # A bias of 1 begins without resetting and without updating.
                gates = linear([inputs, state], 2 * self._num_units, bias_start=1.0)
                reset, update = v1.split(gates, 2, 1)
                reset, update = sigmoid(reset), sigmoid(update)
            with v1.variable_scope("Candidate"):
                candidate = self._activation(linear([inputs, reset * state], self._num_units))
            output = update * state + (1 - update) * candidate
        return output, output


class BasicLSTMCell(RNNCell):
    """An LSTM without peepholes, clipping or projection (Zaremba et al., 2014)."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        state_is_tuple: bool = True,
        activation: Any = tanh,
    ) -> None:
        del input_size
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation

    @property
    def state_size(self) -> Any:
        if self._state_is_tuple:
            return LSTMStateTuple(self._num_units, self._num_units)
        return 2 * self._num_units

    @property
    def output_size(self) -> Any:
        return self._num_units

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with v1.variable_scope(scope or type(self).__name__):
            memory, output = state if self._state_is_tuple else v1.split(state, 2, 1)
            gates = linear([inputs, output], 4 * self._num_units)
            enter, new, forget, leave = v1.split(gates, 4, 1)
            memory = memory * sigmoid(forget + self._forget_bias) + sigmoid(enter) * self._activation(new)
            output = self._activation(memory) * sigmoid(leave)
            state = LSTMStateTuple(memory, output) if self._state_is_tuple else v1.concat([memory, output], 1)
        return output, state


class MultiRNNCell(RNNCell):
    """Cells stacked one upon another, in the scopes Cell0, Cell1 ..."""

    def __init__(self, cells: list[Any], state_is_tuple: bool = True) -> None:
        if not cells:
            raise ValueError("MultiRNNCell needs at least one cell")
        if not state_is_tuple and any(tf.nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError("MultiRNNCell(state_is_tuple=False): give its cells state_is_tuple=False too")
        self._cells = cells
        self._state_is_tuple = state_is_tuple

    @property
    def state_size(self) -> Any:
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        return self._cells[-1].output_size

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with v1.variable_scope(scope or type(self).__name__):
            states, start, current = [], 0, inputs
            for place, cell in enumerate(self._cells):
                with v1.variable_scope(f"Cell{place}"):
                    if self._state_is_tuple:
                        own = state[place]
                    else:
                        own = v1.slice(state, [0, start], [-1, cell.state_size])
                        start += cell.state_size
                    current, new = cell(current, own)
                    states.append(new)
        return current, tuple(states) if self._state_is_tuple else v1.concat(states, 1)
