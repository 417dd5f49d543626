"""The dynamic networks of 0.12.1: those of 1.x in the scopes RNN and BiRNN/FW, BiRNN/BW."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Returns (outputs, final state) of `cell` over `inputs`, [batch, time, size]; time first if `time_major`."""
    return v1.nn.dynamic_rnn(  # type: ignore[no-any-return]  # TensorFlow is untyped
        cell,
        inputs,
        sequence_length,
        initial_state,
        dtype,
        parallel_iterations,
        swap_memory,
        time_major,
        scope or "RNN",
    )


def raw_rnn(
    cell: Any,
    loop_fn: Any,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Returns (TensorArray of outputs, final state, final loop state) of the loop that `loop_fn` drives."""
    return v1.nn.raw_rnn(cell, loop_fn, parallel_iterations, swap_memory, scope or "RNN")  # type: ignore[no-any-return]


def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Returns ((outputs forward, backward), (state forward, backward)); 0.12 needs `sequence_length` for it."""
    time, batch = (0, 1) if time_major else (1, 0)
    options = (dtype, parallel_iterations, swap_memory, time_major)
    with v1.variable_scope(scope or "BiRNN"):
        with v1.variable_scope("FW") as forward:
            ahead = dynamic_rnn(cell_fw, inputs, sequence_length, initial_state_fw, *options, forward)
        with v1.variable_scope("BW") as backward:
            turned = v1.reverse_sequence(inputs, sequence_length, time, batch)
            back = dynamic_rnn(cell_bw, turned, sequence_length, initial_state_bw, *options, backward)
    again = v1.reverse_sequence(back[0], sequence_length, time, batch)
    return (ahead[0], again), (ahead[1], back[1])
