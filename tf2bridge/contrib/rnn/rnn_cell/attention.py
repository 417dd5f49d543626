"""`AttentionCellWrapper`: a cell that looks back at its last outputs (Cheng et al., 2016)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.rnn.cell import Cell, check_cell
from tf2bridge.contrib.rnn.core_rnn_cell import Linear

v1 = tf.compat.v1


class AttentionCellWrapper(Cell):
    """Attention of `cell` over its last `attn_length` outputs, each [batch, attn_size].

    The state is (state of the cell, context, concatenated outputs), or with `state_is_tuple=False` these three
    concatenated.

    Raises:
        TypeError: `cell` is not a cell.
        ValueError: the length is below 1, or the state of the cell is not one tensor with `state_is_tuple=False`.
    """

    holds_cells = True

    def __init__(
        self,
        cell: Any,
        attn_length: int,
        attn_size: int | None = None,
        attn_vec_size: int | None = None,
        input_size: int | None = None,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if tf.nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. "
                f"State size is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        if not state_is_tuple:
            logging.warn("%s: a state in one tensor is slower. Use state_is_tuple=True.", self)
        size = cell.output_size if attn_size is None else attn_size
        self._cell = cell
        self._state_is_tuple = state_is_tuple
        self._attn_length = attn_length
        self._attn_size = size
        self._attn_vec_size = size if attn_vec_size is None else attn_vec_size
        self._input_size = input_size
        self._entry: Linear | None = None
        self._query: Linear | None = None
        self._exit: Linear | None = None
        sizes = (cell.state_size, size, size * attn_length)
        self._state_size = sizes if state_is_tuple else sum(sizes)
        self._output_size = size

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        state, seen, past = state if self._state_is_tuple else self._apart(state)
        past = v1.reshape(past, [-1, self._attn_length, self._attn_size])
        if self._entry is None:
            size = inputs.get_shape().as_list()[1] if self._input_size is None else self._input_size
            self._entry = Linear([inputs, seen], size, True)
        output, state = self._cell(self._entry([inputs, seen]), state)
        query = v1.concat(tf.nest.flatten(state), 1) if self._state_is_tuple else state
        seen, kept = self._attended(query, past)
        with v1.variable_scope("attn_output_projection"):
            if self._exit is None:
                self._exit = Linear([output, seen], self._attn_size, True)
            output = self._exit([output, seen])
        past = v1.concat([kept, v1.expand_dims(output, 1)], 1)
        past = v1.reshape(past, [-1, self._attn_length * self._attn_size])
        parts = (state, seen, past)
        return output, parts if self._state_is_tuple else v1.concat(list(parts), 1)

    def _apart(self, packed: Any) -> list[Any]:
        parts, start = [], 0
        for size in (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length):
            parts.append(v1.slice(packed, [0, start], [-1, size]))
            start += size
        return parts

    def _attended(self, query: Any, past: Any) -> tuple[Any, Any]:
        """Returns the context, [batch, attn_size], and the outputs without the oldest output."""
        with v1.variable_scope("attention"):
            filters = v1.get_variable("attn_w", [1, 1, self._attn_size, self._attn_vec_size])
            direction = v1.get_variable("attn_v", [self._attn_vec_size])
            hidden = v1.reshape(past, [-1, self._attn_length, 1, self._attn_size])
            features = v1.nn.conv2d(hidden, filters, [1, 1, 1, 1], "SAME")
            if self._query is None:
                self._query = Linear(query, self._attn_vec_size, True)
            projected = v1.reshape(self._query(query), [-1, 1, 1, self._attn_vec_size])
            scores = v1.reduce_sum(direction * v1.tanh(features + projected), [2, 3])
            weights = v1.reshape(v1.nn.softmax(scores), [-1, self._attn_length, 1, 1])
            context = v1.reduce_sum(weights * hidden, [1, 2])
            return v1.reshape(context, [-1, self._attn_size]), v1.slice(past, [0, 1, 0], [-1, -1, -1])
