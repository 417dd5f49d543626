"""`ConvLSTMCell`: an LSTM whose gates are convolutions over images or sequences (Shi et al., 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import Cell, LSTMStateTuple

v1 = tf.compat.v1


class ConvLSTMCell(Cell):
    """Inputs [batch, *input_shape]; output [batch, ..., output_channels], followed by the inputs' own channels with
    `skip_connection`. `initializers` is without effect.

    Raises:
        ValueError: `input_shape` does not consist of `conv_ndims` sizes and the channels.
    """

    def __init__(
        self,
        conv_ndims: int,
        input_shape: Sequence[int],
        output_channels: int,
        kernel_shape: Sequence[int],
        use_bias: bool = True,
        skip_connection: bool = False,
        forget_bias: float = 1.0,
        initializers: Any = None,
        name: str = "conv_lstm_cell",
    ) -> None:
        del initializers
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims = conv_ndims
        self._output_channels = output_channels
        self._kernel_shape = tuple(kernel_shape)
        self._use_bias = use_bias
        self._skip_connection = skip_connection
        self._forget_bias = forget_bias
        *sizes, channels = input_shape
        state_size = tf.TensorShape([*sizes, output_channels])
        self._state_size = LSTMStateTuple(state_size, state_size)
        self._output_size = tf.TensorShape([*sizes, output_channels + (channels if skip_connection else 0)])

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        memory, hidden = state
        gates = self._convolved([inputs, hidden])
        enter, new, forget, leave = v1.split(value=gates, num_or_size_splits=4, axis=self._conv_ndims + 1)
        memory = v1.sigmoid(forget + self._forget_bias) * memory
        memory += v1.sigmoid(enter) * v1.tanh(new)
        output = v1.tanh(memory) * v1.sigmoid(leave)
        if self._skip_connection:
            output = v1.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(memory, output)

    def _convolved(self, parts: list[Any]) -> Any:
        shapes = [part.get_shape().as_list() for part in parts]
        rank = len(shapes[0])
        if rank not in (3, 4, 5) or any(len(shape) != rank for shape in shapes):
            raise ValueError(
                f"Conv Linear expects 3D, 4D or 5D arguments, and all args to be of same Dimension: {shapes}"
            )
        dtype, channels = parts[0].dtype, 4 * self._output_channels
        shape = [*self._kernel_shape, sum(shape[-1] for shape in shapes), channels]
        kernel = v1.get_variable("kernel", shape, dtype=dtype)
        both = v1.concat(axis=rank - 1, values=parts)
        convolve, strides = {
            3: (v1.nn.conv1d, 1),
            4: (v1.nn.conv2d, [1] * 4),
            5: (v1.nn.conv3d, [1] * 5),
        }[rank]
        result = convolve(both, kernel, strides, padding="SAME")
        if not self._use_bias:
            return result
        zeros = v1.constant_initializer(0.0, dtype=dtype)
        return result + v1.get_variable("biases", [channels], dtype=dtype, initializer=zeros)


class Conv1DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` over [batch, width, channels]."""

    def __init__(self, name: str = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` over [batch, height, width, channels]."""

    def __init__(self, name: str = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` over [batch, depth, height, width, channels]."""

    def __init__(self, name: str = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
