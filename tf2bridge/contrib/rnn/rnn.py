"""Stacks of bidirectional networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def stack_bidirectional_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Sequence[Any],
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Returns (outputs, forward states, backward states) of stacked bidirectional networks.

    `inputs` and outputs are lists of [batch, size]. There is one state for each pair of cells.

    Raises:
        ValueError: the cells are not two lists of equal length.
    """
    stack = layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    ahead, back = [], []
    layer: Any = inputs
    with v1.variable_scope(scope or "stack_bidirectional_rnn"):
        for place, (forward, backward, *states) in enumerate(stack):
            with v1.variable_scope(f"cell_{place}") as current:
                layer, state_fw, state_bw = v1.nn.static_bidirectional_rnn(
                    forward,
                    backward,
                    layer,
                    initial_state_fw=states[0],
                    initial_state_bw=states[1],
                    sequence_length=sequence_length,
                    dtype=dtype,
                    scope=current,
                )
            ahead.append(state_fw)
            back.append(state_bw)
    return layer, tuple(ahead), tuple(back)


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Any,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: Any = None,
    swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Returns (outputs, forward states, backward states) of stacked bidirectional networks.

    `inputs` and outputs are [batch, time, size], or [time, batch, size] if `time_major`.

    Raises:
        ValueError: the cells are not two lists of equal length.
    """
    stack = layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    ahead, back = [], []
    layer = inputs
    with v1.variable_scope(scope or "stack_bidirectional_rnn"):
        for place, (forward, backward, *states) in enumerate(stack):
            with v1.variable_scope(f"cell_{place}"):
                outputs, (state_fw, state_bw) = v1.nn.bidirectional_dynamic_rnn(
                    forward,
                    backward,
                    layer,
                    initial_state_fw=states[0],
                    initial_state_bw=states[1],
                    sequence_length=sequence_length,
                    parallel_iterations=parallel_iterations,
                    dtype=dtype,
                    swap_memory=swap_memory,
                    time_major=time_major,
                )
                layer = v1.concat(outputs, 2)
            ahead.append(state_fw)
            back.append(state_bw)
    return layer, tuple(ahead), tuple(back)


def layers(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> list[tuple[Any, Any, Any, Any]]:
    """Returns forward cell, backward cell and their initial states, for each layer."""
    for name, cells in (("cells_fw", cells_fw), ("cells_bw", cells_bw)):
        if not cells:
            raise ValueError(f"Must specify at least one {name[-2:]} cell for BidirectionalRNN.")
        if not isinstance(cells, list):
            raise ValueError(f"{name} must be a list of RNNCells (one per layer), not {cells!r}.")
    if len(cells_fw) != len(cells_bw):
        raise ValueError(
            f"Forward and Backward cells must have the same depth, not {len(cells_fw)} and {len(cells_bw)}."
        )
    for name, states in (("initial_states_fw", states_fw), ("initial_states_bw", states_bw)):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError(f"{name} must be a list of state tensors (one per layer): {len(cells_fw)} of them.")
    no_states = [None] * len(cells_fw)
    return list(zip(cells_fw, cells_bw, states_fw or no_states, states_bw or no_states, strict=True))
