"""Whole networks behind one call: `FusedRNNCell` and what adapts cells to it."""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class FusedRNNCell(abc.ABC):
    """A network: called with inputs [time, batch, size], or a list of [batch, size], it returns outputs and state."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """Returns (outputs, final state). The outputs are a list if the inputs are a list."""


class FusedRNNCellAdaptor(FusedRNNCell):
    """Runs a cell over all steps, by `nn.dynamic_rnn` or `nn.static_rnn`."""

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell = cell
        self._use_dynamic_rnn = use_dynamic_rnn

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        listed, dynamic = isinstance(inputs, list), self._use_dynamic_rnn
        if listed == dynamic:
            inputs = v1.stack(inputs) if listed else v1.unstack(inputs)
        run, options = (v1.nn.dynamic_rnn, {"time_major": True}) if dynamic else (v1.nn.static_rnn, {})
        outputs, state = run(
            self._cell,
            inputs,
            sequence_length=sequence_length,
            initial_state=initial_state,
            dtype=dtype,
            scope=scope,
            **options,
        )
        if listed == dynamic:
            outputs = v1.unstack(outputs) if listed else v1.stack(outputs)
        return outputs, state


class TimeReversedFusedRNN(FusedRNNCell):
    """Runs a network backwards in time: each example within its own length, if lengths are given."""

    def __init__(self, cell: FusedRNNCell) -> None:
        self._cell = cell

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        outputs, state = self._cell(
            _reversed(inputs, sequence_length),
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )
        return _reversed(outputs, sequence_length), state


def _reversed(steps: Any, lengths: Any) -> Any:
    if isinstance(steps, list):
        return list(reversed(steps))
    if lengths is None:
        return v1.reverse(steps, [0])
    return v1.reverse_sequence(steps, lengths, 0, 1)
