"""Cells of 0.12.1 that wrap another cell."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.cell import check_cell
from tf2bridge.v0.rnn.cells import RNNCell
from tf2bridge.v0.rnn.linear import linear

v1 = tf.compat.v1


class _Wrapper(RNNCell):
    def __init__(self, cell: Any) -> None:
        check_cell("cell", cell)
        self._cell = cell

    @property
    def state_size(self) -> Any:
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        return self._cell.output_size


class OutputProjectionWrapper(_Wrapper):
    """Maps the output of a cell linearly to `output_size`."""

    def __init__(self, cell: Any, output_size: int) -> None:
        super().__init__(cell)
        if output_size < 1:
            raise ValueError(f"OutputProjectionWrapper needs an output_size of 1 or more, not {output_size}")
        self._output_size = output_size

    @property
    def output_size(self) -> Any:
        return self._output_size

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        output, new_state = self._cell(inputs, state)
        with v1.variable_scope(scope or type(self).__name__):
            return linear(output, self._output_size), new_state


class InputProjectionWrapper(_Wrapper):
    """Maps the input of a cell linearly to `num_proj`."""

    def __init__(self, cell: Any, num_proj: int, input_size: Any = None) -> None:
        del input_size
        super().__init__(cell)
        self._num_proj = num_proj

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with v1.variable_scope(scope or type(self).__name__):
            projected = linear(inputs, self._num_proj)
        result: tuple[Any, Any] = self._cell(projected, state)
        return result


class DropoutWrapper(_Wrapper):
    """Drops inputs and outputs of a cell; a float keep probability of 1 makes no op, a tensor always does."""

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0, seed: int | None = None
    ) -> None:
        super().__init__(cell)
        for keep in (input_keep_prob, output_keep_prob):
            if isinstance(keep, float) and not 0.0 <= keep <= 1.0:
                raise ValueError(f"DropoutWrapper needs keep probabilities from 0 to 1, not {keep}")
        self._input_keep_prob = input_keep_prob
        self._output_keep_prob = output_keep_prob
        self._seed = seed

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        output, new_state = self._cell(self._dropped(inputs, self._input_keep_prob), state, scope)
        return self._dropped(output, self._output_keep_prob), new_state

    def _dropped(self, tensor: Any, keep: Any) -> Any:
        if isinstance(keep, float) and keep >= 1:
            return tensor
        return v1.nn.dropout(tensor, keep, seed=self._seed)


class EmbeddingWrapper(_Wrapper):
    """Looks its inputs, [batch] or [batch, 1] of class numbers, up in the variable `embedding`."""

    def __init__(self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None) -> None:
        super().__init__(cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(f"EmbeddingWrapper cannot embed {embedding_classes} classes in size {embedding_size}")
        self._shape = [embedding_classes, embedding_size]
        self._initializer = initializer

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with v1.variable_scope(scope or type(self).__name__), v1.device("/cpu:0"):
            # A variance of 1, which is that of the uniform distribution between these.
            default = v1.random_uniform_initializer(-math.sqrt(3), math.sqrt(3))
            initializer = self._initializer or v1.get_variable_scope().initializer or default
            dtype = (state[0] if isinstance(state, tuple) else state).dtype
            embedding = v1.get_variable("embedding", self._shape, initializer=initializer, dtype=dtype)
            embedded = v1.nn.embedding_lookup(embedding, v1.reshape(inputs, [-1]))
        result: tuple[Any, Any] = self._cell(embedded, state)
        return result
