"""`CoupledInputForgetGateLSTMCell`: what is not kept is taken in (Greff et al., 2015)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.rnn.cell import Cell, LSTMStateTuple, clipped, input_size
from tf2bridge.contrib.rnn.core_rnn_cell import sharded
from tf2bridge.contrib.rnn.rnn_cell.normalized import layer_norm as normed

v1 = tf.compat.v1


class CoupledInputForgetGateLSTMCell(Cell):
    """An LSTM with one gate for keeping and taking in; variables W_0, B, W_F_diag, W_O_diag, W_P_0.

    Inputs [batch, size], output [batch, num_proj or num_units], state (memory, output).
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = v1.tanh,
        reuse: bool | None = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            logging.warn("%s: a state in one tensor is slower. Use state_is_tuple=True.", self)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._initializer = initializer  # genuine TensorFlow takes it, and never uses it
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift
        self._output_size = num_proj or num_units
        sizes = LSTMStateTuple(num_units, self._output_size)
        self._state_size = sizes if state_is_tuple else sum(sizes)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state if self._state_is_tuple else self._apart(state)
        new, keep, leave = self._gates(inputs, output)
        see = self._peepholes(inputs.dtype)
        keep = keep + self._forget_bias
        keep = v1.sigmoid(keep + see[0] * memory if see else keep)
        memory = keep * memory + (1 - keep) * self._activation(new)
        memory = self._norm(memory, "state")
        leave = v1.sigmoid(leave + see[1] * memory if see else leave)
        output = self._projected(leave * self._activation(memory))
        return output, LSTMStateTuple(memory, output) if self._state_is_tuple else v1.concat([memory, output], 1)

    def _apart(self, packed: Any) -> tuple[Any, Any]:
        units = self._num_units
        return v1.slice(packed, [0, 0], [-1, units]), v1.slice(packed, [0, units], [-1, self._output_size])

    def _gates(self, inputs: Any, output: Any) -> list[Any]:
        """Returns new input, keep gate and output gate, each [batch, num_units]."""
        size, dtype = 3 * self._num_units, inputs.dtype
        weights = sharded("W", [input_size(inputs) + self._output_size, size], dtype, self._num_unit_shards)
        bias = v1.get_variable("B", shape=[size], initializer=v1.zeros_initializer(), dtype=dtype)
        product = v1.matmul(v1.concat([inputs, output], 1), weights)
        if not self._layer_norm:
            product = v1.nn.bias_add(product, bias)
        parts = v1.split(value=product, num_or_size_splits=3, axis=1)
        names = ("transform", "forget", "output")
        return [self._norm(part, name) for part, name in zip(parts, names, strict=True)]

    def _norm(self, tensor: Any, scope: str) -> Any:
        return normed(tensor, scope, self._norm_gain, self._norm_shift) if self._layer_norm else tensor

    def _peepholes(self, dtype: Any) -> list[Any]:
        names = ("W_F_diag", "W_O_diag") if self._use_peepholes else ()
        return [v1.get_variable(name, shape=[self._num_units], dtype=dtype) for name in names]

    def _projected(self, output: Any) -> Any:
        if self._num_proj is None:
            return output
        weights = sharded("W_P", [self._num_units, self._num_proj], output.dtype, self._num_proj_shards)
        return clipped(v1.matmul(output, weights), self._proj_clip)
