"""Cells with layer normalization (Ba et al., 2016) or weight normalization (Salimans and Kingma, 2016)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.layers import old_moments
from tf2bridge.contrib.rnn.cell import Cell, LSTMStateTuple, clipped, input_size
from tf2bridge.contrib.rnn.core_rnn_cell import bias_variable, linear

v1 = tf.compat.v1


def layer_norm(tensor: Any, scope: str, gain: float, shift: float, dtype: Any = tf.float32) -> Any:
    """Returns `tensor`, [batch, size], with mean 0 and variance 1 over each row, times `gamma`, plus `beta`.

    The variables lie in `scope`; `gain` and `shift` are their initial values.
    """
    shape = tensor.get_shape()[-1:]
    with v1.variable_scope(scope):
        v1.get_variable("gamma", shape=shape, initializer=v1.constant_initializer(gain), dtype=dtype)
        v1.get_variable("beta", shape=shape, initializer=v1.constant_initializer(shift), dtype=dtype)
    # They are opened once more, as contrib.layers.layer_norm does: the operations lie in a name scope of their own.
    with v1.variable_scope(scope, reuse=True):
        beta = v1.get_variable("beta", shape=shape, dtype=tensor.dtype)
        gamma = v1.get_variable("gamma", shape=shape, dtype=tensor.dtype)
        mean, variance = old_moments.of_release()(tensor, [1], keep_dims=True)
        least = 1e-3 if tensor.dtype.base_dtype == tf.float16 else 1e-12
        normed = v1.nn.batch_normalization(tensor, mean, variance, beta, gamma, least)
        normed.set_shape(tensor.get_shape())
        return normed


class LayerNormBasicLSTMCell(Cell):
    """An LSTM with normalized gates and memory, and dropout of the new memory content (Semeniuta et al., 2016).

    Inputs [batch, size], output [batch, num_units]. `dropout_keep_prob` is a float or a scalar tensor.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        activation: Any = v1.tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: int | None = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        self._num_units = num_units
        self._state_size = LSTMStateTuple(num_units, num_units)
        self._output_size = num_units
        self._activation = activation
        self._forget_bias = forget_bias
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state
        both = v1.concat([inputs, output], 1)
        dtype = both.dtype
        gates = v1.split(value=self._gates(both), num_or_size_splits=4, axis=1)
        names = ("input", "transform", "forget", "output")
        enter, new, forget, leave = (self._norm(*pair, dtype) for pair in zip(gates, names, strict=True))
        taken = self._activation(new)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            taken = v1.nn.dropout(taken, self._keep_prob, seed=self._seed)
        memory = memory * v1.sigmoid(forget + self._forget_bias) + v1.sigmoid(enter) * taken
        memory = self._norm(memory, "state", dtype)
        output = self._activation(memory) * v1.sigmoid(leave)
        return output, LSTMStateTuple(memory, output)

    def _gates(self, both: Any) -> Any:
        size = 4 * self._num_units
        weights = v1.get_variable("kernel", [both.get_shape()[-1], size], dtype=both.dtype)
        product = v1.matmul(both, weights)
        if self._layer_norm:
            return product
        return v1.nn.bias_add(product, v1.get_variable("bias", [size], dtype=both.dtype))

    def _norm(self, tensor: Any, scope: str, dtype: Any) -> Any:
        if not self._layer_norm:
            return tensor
        return layer_norm(tensor, scope, self._norm_gain, self._norm_shift, dtype)


class _LSTM(Cell):
    """The base of the two cells below: peepholes, clipping and projection of `nn.rnn_cell.LSTMCell`."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool,
        cell_clip: float | None,
        initializer: Any,
        num_proj: int | None,
        proj_clip: float | None,
        forget_bias: float,
        activation: Any,
        reuse: bool | None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._forget_bias = forget_bias
        self._activation = activation or v1.tanh
        self._output_size = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, self._output_size)

    def _peepholes(self, dtype: Any) -> list[Any]:
        names = ("w_f_diag", "w_i_diag", "w_o_diag") if self._use_peepholes else ()
        return [v1.get_variable(name, shape=[self._num_units], dtype=dtype) for name in names]

    def _seen(self, gate: Any, peepholes: list[Any], place: int, memory: Any) -> Any:
        return v1.sigmoid(gate + peepholes[place] * memory if peepholes else gate)

    def _projected(self, output: Any) -> Any:
        if self._num_proj is None:
            return output
        with v1.variable_scope("projection"):
            output = self._map(output, self._num_proj)
        return clipped(output, self._proj_clip)

    def _map(self, output: Any, size: int) -> Any:
        raise NotImplementedError


class LayerNormLSTMCell(_LSTM):
    """`nn.rnn_cell.LSTMCell` whose gates and memory are normalized if `layer_norm` is true."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        forget_bias: float = 1.0,
        activation: Any = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(
            num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias, activation, reuse
        )
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state
        input_size(inputs)
        with v1.variable_scope(v1.get_variable_scope(), initializer=self._initializer) as unit:
            gates = v1.split(value=self._gates(inputs, output), num_or_size_splits=4, axis=1)
            names = ("input", "transform", "forget", "output")
            enter, new, forget, leave = (self._norm(*pair) for pair in zip(gates, names, strict=True))
            with v1.variable_scope(unit):
                see = self._peepholes(inputs.dtype)
            kept = self._seen(forget + self._forget_bias, see, 0, memory) * memory
            memory = kept + self._seen(enter, see, 1, memory) * self._activation(new)
            memory = clipped(self._norm(memory, "state"), self._cell_clip)
            output = self._seen(leave, see, 2, memory) * self._activation(memory)
            output = self._projected(output)
        return output, LSTMStateTuple(memory, output)

    def _gates(self, inputs: Any, output: Any) -> Any:
        size, dtype = 4 * self._num_units, inputs.dtype
        if not self._layer_norm:
            return linear([inputs, output], size, True)
        product = linear([inputs, output], size, False)
        bias_variable(v1.get_variable_scope(), size, dtype)  # it is made, and left out
        return product

    def _norm(self, tensor: Any, scope: str) -> Any:
        return layer_norm(tensor, scope, self._norm_gain, self._norm_shift) if self._layer_norm else tensor

    def _map(self, output: Any, size: int) -> Any:
        return linear(output, size, False)


class WeightNormLSTMCell(_LSTM):
    """`nn.rnn_cell.LSTMCell` whose weights are normalized by column if `norm` is true."""

    def __init__(
        self,
        num_units: int,
        norm: bool = True,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        forget_bias: float = 1,
        activation: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(
            num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias, activation, reuse
        )
        self._norm = norm
        self._scope = "wn_lstm_cell"  # its variables lie there, and there once more

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, output = state
        input_size(inputs)
        with v1.variable_scope("wn_lstm_cell", initializer=self._initializer) as outer:
            size = 4 * self._num_units
            product = self._product([inputs, output], size)
            product = v1.nn.bias_add(product, bias_variable(outer, size, inputs.dtype))
            enter, new, forget, leave = v1.split(value=product, num_or_size_splits=4, axis=1)
            see = self._peepholes(inputs.dtype)
            kept = memory * self._seen(forget + self._forget_bias, see, 0, memory)
            memory = kept + self._seen(enter, see, 1, memory) * self._activation(new)
            memory = clipped(memory, self._cell_clip)
            output = self._seen(leave, see, 2, memory) * self._activation(memory)
            output = self._projected(output)
        return output, LSTMStateTuple(memory, output)

    def _map(self, output: Any, size: int) -> Any:
        return self._product([output], size)

    def _product(self, parts: list[Any], size: int) -> Any:
        sizes = [input_size(part) for part in parts]
        dtype = parts[0].dtype
        with v1.variable_scope(v1.get_variable_scope()):
            weights = v1.get_variable("kernel", [sum(sizes), size], dtype=dtype)
            if self._norm:
                weights = _by_column(weights, sizes)
            return v1.matmul(parts[0] if len(parts) == 1 else v1.concat(parts, 1), weights)


def _by_column(weights: Any, sizes: list[int]) -> Any:
    """Returns the rows for each input, their columns of length 1, times the variables norm_0, norm_1 ..."""
    blocks, start = [], 0
    # A loop around the cell computes them once, outside.
    with tf.control_dependencies(None):
        for place, size in enumerate(sizes):
            rows = weights[start : start + size, :]
            gain = v1.get_variable(f"norm_{place}", [rows.get_shape().as_list()[1]], dtype=rows.dtype)
            blocks.append(v1.nn.l2_normalize(rows, axis=0) * gain)
            start += size
        return v1.concat(blocks, axis=0)
