"""`LSTMCell` of 0.12.1: peepholes, clipping, projection and sharded weights; variables W_0, B, W_F_diag ..., W_P_0."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.v0.rnn.cells import LSTMStateTuple, RNNCell, sigmoid, tanh

v1 = tf.compat.v1


class LSTMCell(RNNCell):
    """The LSTM of Sak et al., 2014. The state is (memory [batch, num_units], output [batch, num_proj or num_units])."""

    def __init__(
        self,
        num_units: int,
        input_size: Any = None,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = tanh,
    ) -> None:
        del input_size
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation

    @property
    def output_size(self) -> Any:
        return self._num_proj or self._num_units

    @property
    def state_size(self) -> Any:
        if self._state_is_tuple:
            return LSTMStateTuple(self._num_units, self.output_size)
        return self._num_units + self.output_size

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        memory, output = self._parts(state)
        with v1.variable_scope(scope or type(self).__name__, initializer=self._initializer):
            enter, new, forget, leave = self._gates(inputs, output)
            see = self._peepholes(inputs.dtype)
            kept = sigmoid(_seen(forget + self._forget_bias, see, 0, memory)) * memory
            taken = sigmoid(_seen(enter, see, 1, memory)) * self._activation(new)
            memory = _clipped(kept + taken, self._cell_clip)
            output = self._projected(sigmoid(_seen(leave, see, 2, memory)) * self._activation(memory))
        return output, LSTMStateTuple(memory, output) if self._state_is_tuple else v1.concat([memory, output], 1)

    def _parts(self, state: Any) -> tuple[Any, Any]:
        if self._state_is_tuple:
            memory, output = state
            return memory, output
        units = self._num_units
        return v1.slice(state, [0, 0], [-1, units]), v1.slice(state, [0, units], [-1, self.output_size])

    def _gates(self, inputs: Any, output: Any) -> Any:
        size = inputs.get_shape().with_rank(2).as_list()[1]
        if size is None:
            raise ValueError("LSTMCell needs inputs whose size is known: [batch, size]")
        rows, units = size + self.output_size, self._num_units
        weights = _sharded("W", [rows, 4 * units], inputs.dtype, self._num_unit_shards)
        zeros = v1.zeros_initializer()
        bias = v1.get_variable("B", shape=[4 * units], initializer=zeros, dtype=inputs.dtype)
        product = v1.matmul(v1.concat([inputs, output], 1), weights)
        return v1.split(v1.nn.bias_add(product, bias), 4, 1)

    def _peepholes(self, dtype: Any) -> list[Any]:
        names = ("W_F_diag", "W_I_diag", "W_O_diag") if self._use_peepholes else ()
        return [v1.get_variable(name, shape=[self._num_units], dtype=dtype) for name in names]

    def _projected(self, output: Any) -> Any:
        if self._num_proj is None:
            return output
        shape = [self._num_units, self._num_proj]
        weights = _sharded("W_P", shape, output.dtype, self._num_proj_shards)
        return _clipped(v1.matmul(output, weights), self._proj_clip)


def _seen(gate: Any, peepholes: list[Any], place: int, memory: Any) -> Any:
    return gate + peepholes[place] * memory if peepholes else gate


def _clipped(tensor: Any, limit: float | None) -> Any:
    return tensor if limit is None else v1.clip_by_value(tensor, -limit, limit)


def _sharded(name: str, shape: list[int], dtype: Any, shards: int) -> Any:
    """Returns the variables name_0, name_1 ... as one tensor. They share the rows of `shape` as evenly as possible."""
    if shards > shape[0]:
        raise ValueError(f"{name}: {shards} shards are more than its {shape[0]} rows")
    unit, more = divmod(shape[0], shards)
    sizes = [unit + (place < more) for place in range(shards)]
    parts = [v1.get_variable(f"{name}_{place}", [size, *shape[1:]], dtype=dtype) for place, size in enumerate(sizes)]
    return parts[0] if shards == 1 else v1.concat(parts, 0, name=f"{name}/concat")
