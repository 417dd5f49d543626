"""`NASCell`: the cell that was found by search (Zoph and Le, 2016, figure 8)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import LayerCell, LSTMStateTuple, known_size

v1 = tf.compat.v1
_BRANCHES = 8


class NASCell(LayerCell):
    """Inputs [batch, size]; output [batch, num_proj or num_units]; state (memory, output)."""

    def __init__(
        self,
        num_units: int,
        num_proj: int | None = None,
        use_bias: bool = False,
        reuse: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units = num_units
        self._num_proj = num_proj
        self._use_bias = use_bias
        self._output_size = num_units if num_proj is None else num_proj
        self._state_size = LSTMStateTuple(num_units, self._output_size)

    def build(self, inputs_shape: Any) -> None:
        size, width = known_size(inputs_shape), _BRANCHES * self._num_units
        self.recurrent_kernel = self.add_weight("recurrent_kernel", [self._output_size, width])
        self.kernel = self.add_weight("kernel", [size, width])
        if self._use_bias:
            self.bias = self.add_weight("bias", shape=[width], initializer=v1.zeros_initializer)
        if self._num_proj is not None:
            self.projection_weights = self.add_weight("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state
        recurrent = v1.matmul(output, self.recurrent_kernel)
        fresh = v1.matmul(inputs, self.kernel)
        if self._use_bias:
            recurrent = v1.nn.bias_add(recurrent, self.bias)
        m = v1.split(axis=1, num_or_size_splits=_BRANCHES, value=recurrent)
        x = v1.split(axis=1, num_or_size_splits=_BRANCHES, value=fresh)
        leaves = [
            v1.sigmoid(x[0] + m[0]),
            v1.nn.relu(x[1] + m[1]),
            v1.sigmoid(x[2] + m[2]),
            v1.nn.relu(x[3] * m[3]),
            v1.tanh(x[4] + m[4]),
            v1.sigmoid(x[5] + m[5]),
            v1.tanh(x[6] + m[6]),
            v1.sigmoid(x[7] + m[7]),
        ]
        left, right = v1.tanh(leaves[0] * leaves[1]), v1.tanh(leaves[2] + leaves[3])
        three, four = v1.tanh(leaves[4] * leaves[5]), v1.sigmoid(leaves[6] + leaves[7])
        memory = v1.tanh(left + memory) * right
        output = v1.tanh(memory * v1.tanh(three + four))
        if self._num_proj is not None:
            output = v1.matmul(output, self.projection_weights)
        return output, LSTMStateTuple(memory, output)
