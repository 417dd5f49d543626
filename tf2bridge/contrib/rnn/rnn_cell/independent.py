"""Cells whose units see no state but their own: IndRNN (Li et al., 2018), IndyGRU and IndyLSTM (Gonnet and
Deselaers, 2019)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import InputSpec, LayerCell, LSTMStateTuple, known_size

v1 = tf.compat.v1


class _Independent(LayerCell):
    """A cell with the weights kernel_w for the inputs [batch, size] and kernel_u for the states, unit by unit."""

    def __init__(
        self,
        num_units: int,
        activation: Any,
        reuse: bool | None,
        name: str | None,
        dtype: Any,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = self._state_size = self._output_size = num_units
        self._activation = activation or v1.tanh
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def _own_weights(self, name: str, size: int) -> Any:
        start = v1.random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        return self.add_weight(name, shape=[1, size], initializer=start)

    def _bias(self, name: str, size: int, default: Any) -> Any:
        start = default if self._bias_initializer is None else self._bias_initializer
        return self.add_weight(name, shape=[size], initializer=start)


class IndRNNCell(_Independent):
    """output = new state = activation(W input + u * state + b), each [batch, num_units]."""

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype)

    def build(self, inputs_shape: Any) -> None:
        units = self._num_units
        self._kernel_w = self.add_weight("kernel_w", shape=[known_size(inputs_shape), units])
        self._kernel_u = self._own_weights("kernel_u", units)
        self._biases = self._bias("bias", units, v1.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        total = v1.matmul(inputs, self._kernel_w) + state * self._kernel_u
        output = self._activation(v1.nn.bias_add(total, self._biases))
        return output, output


class IndyGRUCell(_Independent):
    """The gated recurrent unit, each unit seeing its own state only; output and state [batch, num_units]."""

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, kernel_initializer, bias_initializer)

    def build(self, inputs_shape: Any) -> None:
        size, units = known_size(inputs_shape), self._num_units
        first = self._kernel_initializer
        self._gate_w = self.add_weight("gates/kernel_w", shape=[size, 2 * units], initializer=first)
        self._gate_u = self._own_weights("gates/kernel_u", 2 * units)
        # A bias of 1 begins without resetting and without updating.
        self._gate_bias = self._bias("gates/bias", 2 * units, v1.constant_initializer(1.0, dtype=self.dtype))
        self._candidate_w = self.add_weight("candidate/kernel", shape=[size, units], initializer=first)
        self._candidate_u = self._own_weights("candidate/kernel_u", units)
        self._candidate_bias = self._bias("candidate/bias", units, v1.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        gates = v1.matmul(inputs, self._gate_w) + v1.tile(state, [1, 2]) * self._gate_u
        gates = v1.sigmoid(v1.nn.bias_add(gates, self._gate_bias))
        reset, update = v1.split(value=gates, num_or_size_splits=2, axis=1)
        left = reset * state
        candidate = v1.matmul(inputs, self._candidate_w) + left * self._candidate_u
        candidate = self._activation(v1.nn.bias_add(candidate, self._candidate_bias))
        output = update * state + (1 - update) * candidate
        return output, output


class IndyLSTMCell(_Independent):
    """The LSTM, each unit seeing its own output only; output [batch, num_units], state (memory, output)."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, kernel_initializer, bias_initializer)
        self._forget_bias = forget_bias
        self._state_size = LSTMStateTuple(num_units, num_units)

    def build(self, inputs_shape: Any) -> None:
        width = 4 * self._num_units
        shape = [known_size(inputs_shape), width]
        self._kernel_w = self.add_weight("kernel_w", shape=shape, initializer=self._kernel_initializer)
        self._kernel_u = self._own_weights("kernel_u", width)
        self._biases = self._bias("bias", width, v1.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state
        gates = v1.matmul(inputs, self._kernel_w)
        gates += v1.tile(output, [1, 4]) * self._kernel_u
        gates = v1.nn.bias_add(gates, self._biases)
        enter, new, forget, leave = v1.split(value=gates, num_or_size_splits=4, axis=1)
        memory = memory * v1.sigmoid(forget + self._forget_bias) + v1.sigmoid(enter) * self._activation(new)
        output = self._activation(memory) * v1.sigmoid(leave)
        return output, LSTMStateTuple(memory, output)
