"""Recurrent layers with the variables of TensorFlow 1.x: one matrix for inputs and state, gates in its order.

Those of Keras hold the same numbers in other parts. What trains these variables, or reads them, takes them as they are
here.
"""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


class _Cell(keras.layers.Layer):  # type: ignore[misc]  # Keras is untyped
    """A cell with a number of units, whose first state is its result."""

    states = 1

    def __init__(self, units: int, dtype: Any = None) -> None:
        super().__init__(autocast=False, dtype=dtype)
        self.units = self.output_size = units
        self.state_size = [units] * self.states

    def add_linear(self, inputs: int, gates: int) -> tuple[Any, Any]:
        """Returns a new matrix and a new bias for all gates."""
        return self.add_weight([inputs + self.units, gates * self.units]), self.add_weight([gates * self.units])


class LSTMCell(_Cell):
    """The cell of `tf.nn.rnn_cell.LSTMCell`, as states h and c."""

    states = 2

    def __init__(
        self,
        units: int,
        forget_bias: float = 1.0,
        dtype: Any = None,
        peepholes: bool = False,
        projection: int | None = None,
        cell_clip: float | None = None,
        projection_clip: float | None = None,
    ) -> None:
        super().__init__(units, dtype)
        self.forget_bias = forget_bias
        self.has_peepholes = peepholes
        self.output_size = projection or units
        self.state_size = [self.output_size, units]
        self.has_projection = projection is not None
        self.clips = cell_clip, projection_clip

    def build(self, shape: Any) -> None:
        """Makes the variables for inputs of a shape."""
        self.kernel = self.add_weight([shape[-1] + self.output_size, 4 * self.units])
        self.bias = self.add_weight([4 * self.units])
        if self.has_peepholes:
            self.input_peephole, self.forget_peephole, self.output_peephole = (
                self.add_weight([self.units]) for _ in range(3)
            )
        if self.has_projection:
            self.projection = self.add_weight([self.units, self.output_size])

    def call(self, x: Any, states: Any) -> Any:
        """Returns the result of a step, and the states after it."""
        h, c = states
        cell_clip, projection_clip = self.clips
        gates = ops.matmul(ops.concatenate([x, h], 1), self.kernel) + self.bias
        add, new, keep, show = ops.split(gates, 4, 1)
        keep = keep + self.forget_bias
        if self.has_peepholes:
            add, keep = add + self.input_peephole * c, keep + self.forget_peephole * c
        c = c * ops.sigmoid(keep) + ops.sigmoid(add) * ops.tanh(new)
        c = c if cell_clip is None else ops.clip(c, -cell_clip, cell_clip)
        if self.has_peepholes:
            show = show + self.output_peephole * c
        h = ops.tanh(c) * ops.sigmoid(show)
        h = ops.matmul(h, self.projection) if self.has_projection else h
        h = h if projection_clip is None else ops.clip(h, -projection_clip, projection_clip)
        return h, [h, c]


class LayerNormLSTMCell(_Cell):
    """The cell of `tf.contrib.rnn.LayerNormBasicLSTMCell`, as states h and c."""

    states = 2

    def __init__(self, units: int, forget_bias: float = 1.0, epsilon: float = 1e-12, dtype: Any = None) -> None:
        super().__init__(units, dtype)
        self.forget_bias = forget_bias
        self.input_norm, self.transform_norm, self.forget_norm, self.output_norm, self.state_norm = (
            keras.layers.LayerNormalization(epsilon=epsilon, dtype=dtype) for _ in range(5)
        )

    def build(self, shape: Any) -> None:
        """Makes the variables for inputs of a shape."""
        self.kernel = self.add_weight([shape[-1] + self.units, 4 * self.units])
        norms = self.input_norm, self.transform_norm, self.forget_norm, self.output_norm, self.state_norm
        for norm in norms:
            norm.build([None, self.units])

    def call(self, x: Any, states: Any) -> Any:
        """Returns the result of a step, and the states after it."""
        h, c = states
        add, new, keep, show = ops.split(ops.matmul(ops.concatenate([x, h], 1), self.kernel), 4, 1)
        keep = ops.sigmoid(self.forget_norm(keep) + self.forget_bias)
        new = ops.sigmoid(self.input_norm(add)) * ops.tanh(self.transform_norm(new))
        c = self.state_norm(c * keep + new)
        h = ops.tanh(c) * ops.sigmoid(self.output_norm(show))
        return h, [h, c]


class GRUCell(_Cell):
    """The cell of `tf.nn.rnn_cell.GRUCell`."""

    def build(self, shape: Any) -> None:
        """Makes the variables for inputs of a shape."""
        self.gates_kernel, self.gates_bias = self.add_linear(shape[-1], 2)
        self.candidate_kernel, self.candidate_bias = self.add_linear(shape[-1], 1)

    def call(self, x: Any, states: Any) -> Any:
        """Returns the result of a step, and the state after it."""
        (h,) = states
        gates = ops.matmul(ops.concatenate([x, h], 1), self.gates_kernel) + self.gates_bias
        reset, keep = ops.split(ops.sigmoid(gates), 2, 1)
        candidate = ops.matmul(ops.concatenate([x, reset * h], 1), self.candidate_kernel) + self.candidate_bias
        h = keep * h + (1 - keep) * ops.tanh(candidate)
        return h, [h]


class SimpleRNNCell(_Cell):
    """The cell of `tf.nn.rnn_cell.BasicRNNCell`."""

    def build(self, shape: Any) -> None:
        """Makes the variables for inputs of a shape."""
        self.kernel, self.bias = self.add_linear(shape[-1], 1)

    def call(self, x: Any, states: Any) -> Any:
        """Returns the result of a step, and the state after it."""
        h = ops.tanh(ops.matmul(ops.concatenate([x, states[0]], 1), self.kernel) + self.bias)
        return h, [h]


class LSTM(keras.layers.RNN):  # type: ignore[misc]  # Keras is untyped
    """`keras.layers.LSTM` with the variables of TensorFlow 1.x."""

    def __init__(
        self,
        units: int,
        forget_bias: float = 1.0,
        dtype: Any = None,
        peepholes: bool = False,
        projection: int | None = None,
        cell_clip: float | None = None,
        projection_clip: float | None = None,
        **options: Any,
    ) -> None:
        further = peepholes, projection, cell_clip, projection_clip
        super().__init__(LSTMCell(units, forget_bias, dtype, *further), dtype=dtype, **options)


class LayerNormLSTM(keras.layers.RNN):  # type: ignore[misc]  # Keras is untyped
    """A layer of `LayerNormLSTMCell`."""

    def __init__(
        self, units: int, forget_bias: float = 1.0, epsilon: float = 1e-12, dtype: Any = None, **options: Any
    ) -> None:
        super().__init__(LayerNormLSTMCell(units, forget_bias, epsilon, dtype), dtype=dtype, **options)


class GRU(keras.layers.RNN):  # type: ignore[misc]  # Keras is untyped
    """`keras.layers.GRU` with the variables of TensorFlow 1.x."""

    def __init__(self, units: int, dtype: Any = None, **options: Any) -> None:
        super().__init__(GRUCell(units, dtype=dtype), dtype=dtype, **options)


class SimpleRNN(keras.layers.RNN):  # type: ignore[misc]  # Keras is untyped
    """`keras.layers.SimpleRNN` with the variables of TensorFlow 1.x."""

    def __init__(self, units: int, dtype: Any = None, **options: Any) -> None:
        super().__init__(SimpleRNNCell(units, dtype=dtype), dtype=dtype, **options)
